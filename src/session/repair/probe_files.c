/* probe_files.c - checks sessions, their worktrees, and what else is in the
 * directories of worktrees. */
#include "session/repair/probes.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/random.h"
#include "base/words.h"
#include "session/disk/lock.h"
#include "session/disk/store.h"
#include "session/session.h"

#define MARK "{\"afw\":" /* of worktrees/create/mark.h */

/* -- sessions -------------------------------------------------------------- */

/* Writes the phase that every reader derives, under the lock. */
bool repair_session(const struct survey *v, const struct finding *f)
{
	const struct session *s = survey_session(v, f->id);
	_close_ int lock = lock_acquire(s->dir, NULL);

	if (lock < 0)
		return false;
	file_sweep(AT_FDCWD, s->dir, 0);
	return session_record_lost(s, s->lost, NULL) > 0;
}

/* Returns whether the state file itself still says that the session is
 * running. */
static bool is_marked(const struct session *s)
{
	_state_ struct state state = {0};

	return state_load(&state, s->dir, NULL) < 0 ||
	       !phase_is_live(state.phase);
}

int probe_sessions(struct survey *v, struct err *err)
{
	for (size_t i = 0; i < v->sessions.n; i++) {
		const struct session *s = &v->sessions.v[i];
		struct finding *f;

		if (s->broken) {
			finding_add(v, "broken_session", s, s->dir,
				    "its files cannot be read: %s",
				    s->state.error_reason);
			continue;
		}
		if (s->alive || s->state.phase != PHASE_ERROR || is_marked(s))
			continue;
		f = finding_add(v, "lost_session", s, s->dir, "%s",
				s->state.error_reason);
		f->safe = true;
		f->hint = mem_printf("`afw start %s` starts it", s->spec.name);
	}
	return 0;
}

bool repair_removals(const struct survey *v, const struct finding *f)
{
	(void)v, (void)f;
	session_remove_unfinished(true);
	return session_remove_unfinished(false) == 0;
}

int probe_removals(struct survey *v, struct err *err)
{
	size_t n = session_remove_unfinished(false);

	(void)err;
	if (n)
		finding_add(v, "removal_unfinished", NULL, NULL,
			    "%zu removal%s of a session's files %s "
			    "interrupted; the next one deletes the rest",
			    n, n == 1 ? "" : "s", n == 1 ? "was" : "were")
		    ->safe = true;
	return 0;
}

bool repair_staging(const struct survey *v, const struct finding *f)
{
	(void)v, (void)f;
	staging_sweep(true);
	return staging_sweep(false) == 0;
}

int probe_staging(struct survey *v, struct err *err)
{
	size_t n = staging_sweep(false);

	(void)err;
	if (n)
		finding_add(v, "new_unfinished", NULL, NULL,
			    "%zu `afw new` or `afw land` %s interrupted; the "
			    "next one deletes what it has left",
			    n, n == 1 ? "was" : "were")
		    ->safe = true;
	return 0;
}

/* Returns whether the worktree's .git file names git's entry for it. */
static bool names_entry(int worktree, const struct spec *s)
{
	_buf_ struct buf text = {0};
	_free_ char *end = mem_printf("/worktrees/%s", s->worktree_id);
	size_t n = strlen(end);

	file_read(worktree, ".git", PATH_MAX, &text, NULL);
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	return text.len > n && strcmp(text.data + text.len - n, end) == 0;
}

static void add_git_file(struct survey *v, const struct session *s)
{
	_free_ char *repository = words_quoted(s->spec.repository);
	struct finding *f =
	    finding_add(v, "worktree_without_git", s, s->spec.worktree,
			"the .git file of %s does not name git's entry %s",
			s->spec.worktree, s->spec.worktree_id);

	f->hint =
	    mem_printf("`git -C %s worktree repair` repairs it", repository);
}

/* s: the session, or one of its repositories. */
static void check_worktree(struct survey *v, const struct session *s)
{
	struct finding *f;
	struct err why;
	int fd;

	if (!spec_has_checkout(&s->spec)) {
		finding_add(
		    v, "session_without_worktree", s, s->spec.repository,
		    "its worktree of %s was not made", s->spec.repository)
		    ->hint =
		    mem_printf("`afw rm %s` removes the session", s->spec.name);
		return;
	}
	fd = spec_open_worktree(&s->spec, &why);
	if (fd >= 0) {
		if (!s->spec.place && !names_entry(fd, &s->spec))
			add_git_file(v, s);
		close(fd);
		return;
	}
	f = finding_add(v,
			errno == ENOENT ? "session_without_worktree"
					: "worktree_replaced",
			s, s->spec.worktree, "%s", why.what);
	f->hint = mem_strdup(why.hint[0] ? why.hint : NULL);
}

int probe_worktrees(struct survey *v, struct err *err)
{
	for (size_t i = 0; i < v->sessions.n; i++) {
		const struct session *s = &v->sessions.v[i];

		if (s->broken || !spec_has_checkout(&s->spec))
			continue;
		for (size_t k = 0; k < spec_count(&s->spec); k++) {
			struct session one = *s;

			one.spec = spec_of(&s->spec, k);
			memcpy(one.spec.id, s->spec.id, sizeof one.spec.id);
			check_worktree(v, &one);
		}
	}
	return 0;
}

/* -- the directories of worktrees ------------------------------------------ */

/* Returns whether the path is a worktree of s, or has all of them. */
static bool has_path(const struct spec *s, const char *path)
{
	_free_ char *common = spec_common_directory(s);
	bool has = common && strcmp(common, path) == 0;

	for (size_t i = 0; i < spec_count(s); i++) {
		const char *worktree = spec_of(s, i).worktree;

		has |= worktree && strcmp(worktree, path) == 0;
	}
	return has;
}

static bool is_claimed(const struct survey *v, const char *path)
{
	_free_ char *trash = file_join(path, ".trash");
	bool is = false;

	for (size_t i = 0; i < v->sessions.n; i++)
		is |= has_path(&v->sessions.v[i].spec, path);
	/* A directory for several is left while they are in the trash. */
	for (size_t i = 0; i < v->trash.n && access(trash, F_OK) == 0; i++)
		is |= has_path(&v->trash.v[i].spec, path);
	return is;
}

static void add_trash(struct survey *v, const char *dir)
{
	_dir_ DIR *d = file_list(AT_FDCWD, dir);
	const char *name;

	while ((name = file_list_next(d))) {
		char *path;

		if (name[0] == '.' || survey_is_recorded(v, name))
			continue;
		path = file_join(dir, name);
		finding_add(
		    v, "trash_without_session", NULL, path,
		    "%s is in the trash, but no session is there for it", path);
		free(path);
	}
}

bool repair_directory(const struct survey *v, const struct finding *f)
{
	(void)v;
	return delete_tree(AT_FDCWD, f->path, NULL) == 0;
}

/* A directory gets that name after afw-worktree(8) has checked it, in purge and
 * sweep. */
static void add_purged(struct survey *v, const char *path)
{
	finding_add(v, "removal_unfinished", NULL, path,
		    "%s was left by an interrupted removal; the "
		    "next one deletes it",
		    path)
	    ->safe = true;
}

/* A repository whose name begins with a dot has worktrees that begin with a
 * dot, too. */
static bool is_worktree(const char *path, const char *name)
{
	_free_ char *git = file_join(path, ".git");

	return name[0] != '.' || access(git, F_OK) == 0;
}

/* Returns the path of a file in git's entry for the worktree, to be freed;
 * NULL: it has none. */
static char *entry_file(const char *path, const char *file)
{
	_free_ char *git = file_join(path, ".git");
	_buf_ struct buf text = {0};

	if (file_read(AT_FDCWD, git, PATH_MAX, &text, NULL) < 0 || !text.data ||
	    strncmp(text.data, "gitdir: /", 9) != 0)
		return NULL;
	text.data[strcspn(text.data, "\n")] = '\0';
	return file_join(text.data + strlen("gitdir: "), file);
}

/* True if git has an entry for it: probe_git() says what is wrong with it. */
static bool is_spare(const char *path, const char *name)
{
	_free_ char *file = NULL;

	if (random_is_named(name, ".spare-", 16))
		file = entry_file(path, "gitdir");
	return file && access(file, F_OK) == 0;
}

/* True if it has the mark of afw-worktree(8): `afw new` or `afw land` works on
 * it, or was killed, which probe_git() says. */
static bool is_being_made(const char *path)
{
	_free_ char *file = entry_file(path, "locked");
	_buf_ struct buf text = {0};

	return file && file_read(AT_FDCWD, file, PATH_MAX, &text, NULL) == 0 &&
	       text.data && strncmp(text.data, MARK, strlen(MARK)) == 0;
}

static int check_directory(struct survey *v, const char *dir, struct err *err)
{
	_dir_ DIR *d = file_list(AT_FDCWD, dir);
	const char *name;

	if (!d && errno != ENOENT)
		return err_errno(err, "list %s", dir);
	while ((name = file_list_next(d))) {
		char *path = file_join(dir, name);
		_free_ char *quoted = words_quoted(path);
		struct finding *f;

		if (strcmp(name, ".trash") == 0) {
			add_trash(v, path);
		} else if (random_is_named(name, ".purged-", SPEC_ID_LEN)) {
			add_purged(v, path);
		} else if (is_worktree(path, name) && !is_claimed(v, path) &&
			   !is_spare(path, name) && !is_being_made(path)) {
			f = finding_add(v, "worktree_without_session", NULL,
					path, "no session has the worktree %s",
					path);
			f->hint = mem_printf(
			    "look at it; `git -C %s worktree remove %s` "
			    "removes it",
			    quoted, quoted);
		}
		free(path);
	}
	return 0;
}

/* Takes dir. seen: the directories that were checked. */
static int check_once(struct survey *v, struct strv *seen, char *dir,
		      struct err *err)
{
	int rc = strv_has(seen, dir) ? 0 : check_directory(v, dir, err);

	strv_take(seen, dir);
	return rc;
}

/* Where the worktrees of a repository are made, if the user does not say. */
static char *worktrees_directory(const char *repository)
{
	const char *slash = strrchr(repository, '/');

	return mem_printf("%.*s/.af_worktrees", (int)(slash - repository),
			  repository);
}

int probe_directories(struct survey *v, struct err *err)
{
	_strv_ struct strv seen = {0};
	int rc = 0;

	for (size_t i = 0; i < v->repositories.n; i++)
		rc |= check_once(
		    v, &seen, worktrees_directory(v->repositories.v[i]), err);
	/* Also the directories in which others were made
	 * (worktree_location). */
	for (size_t i = 0; i < v->sessions.n; i++) {
		const char *path = v->sessions.v[i].spec.worktree;
		const char *slash = path ? strrchr(path, '/') : NULL;

		/* What is beside a worktree of the user's is the user's. */
		if (slash && !v->sessions.v[i].spec.place)
			rc |= check_once(
			    v, &seen, mem_strndup(path, (size_t)(slash - path)),
			    err);
	}
	return rc;
}
