/* reconcile_probes.c - the looks at sessions, worktrees and git. */
#include "session/repair/reconcile_internal.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "session/disk/lock.h"
#include "session/disk/remove.h"
#include "session/disk/staging.h"
#include "session/lost.h"
#include "wire/worktree_client.h"

#define GIT_MS 60000

/* -- sessions -------------------------------------------------------------- */

/* What every reader sees anyway is written down, under the lock. */
static bool mark(const struct session *s, struct err *err)
{
	int lock = lock_take(s->dir, err);
	bool done;

	if (lock < 0)
		return false;
	file_sweep(AT_FDCWD, s->dir);
	done = lost_note(s, s->lost, err) > 0;
	close(lock);
	return done;
}

/* Whether the state file itself still says that it lives. */
static bool is_marked(const struct session *s)
{
	struct state state;
	bool live;

	if (state_load(&state, s->dir, NULL) < 0)
		return true;
	live = phase_is_live(state.phase);
	state_finish(&state);
	return !live;
}

int reconcile_probe_sessions(struct reconcile_run *r, struct err *err)
{
	for (size_t i = 0; i < r->sessions.n; i++) {
		const struct session *s = &r->sessions.v[i];
		struct finding *f;

		if (s->broken) {
			reconcile_add(r, "broken_session", s, s->dir,
				      "its files cannot be read: %s",
				      s->state.error_reason);
			continue;
		}
		if (s->alive || s->state.phase != PHASE_ERROR || is_marked(s))
			continue;
		f = reconcile_add(r, "lost_session", s, s->dir, "%s",
				  s->state.error_reason);
		f->safe = true;
		f->hint = mem_printf("`afw start %s` starts it", s->spec.name);
		f->repaired = r->how->apply && mark(s, err);
	}
	return 0;
}

/* What was cut off, which sweep counts, and ends where it is to apply. one
 * and many are the words behind the count. */
static int add_unfinished(struct reconcile_run *r, const char *kind,
			  size_t (*sweep)(bool apply), const char *one,
			  const char *many)
{
	size_t n = sweep(r->how->apply);
	struct finding *f;

	if (n == 0)
		return 0;
	f = reconcile_add(r, kind, NULL, NULL, "%zu %s", n,
			  n == 1 ? one : many);
	f->safe = true;
	f->repaired = r->how->apply && sweep(false) == 0;
	return 0;
}

int reconcile_probe_removals(struct reconcile_run *r, struct err *err)
{
	return add_unfinished(r, "removal_unfinished",
			      session_remove_unfinished,
			      "removal of a session's files was cut off; the "
			      "next one deletes the rest",
			      "removals of a session's files were cut off; the "
			      "next one deletes the rest");
}

int reconcile_probe_staging(struct reconcile_run *r, struct err *err)
{
	return add_unfinished(
	    r, "new_unfinished", staging_sweep,
	    "`afw new` was cut off before the session was "
	    "recorded; the next one deletes what it has left",
	    "`afw new` were cut off before the session was "
	    "recorded; the next one deletes what it has left");
}

/* Whether the .git file there names git's entry for it. */
static bool names_entry(int worktree, const struct spec *s)
{
	struct buf text = {0};
	char *end = mem_printf("/worktrees/%s", s->worktree_id);
	size_t n = strlen(end);
	bool names;

	file_read(worktree, ".git", PATH_MAX, &text, NULL);
	while (text.len && text.data[text.len - 1] == '\n')
		text.data[--text.len] = '\0';
	names = text.len > n && strcmp(text.data + text.len - n, end) == 0;
	buf_finish(&text);
	free(end);
	return names;
}

static void add_git_file(struct reconcile_run *r, const struct session *s)
{
	struct finding *f =
	    reconcile_add(r, "worktree_without_git", s, s->spec.worktree,
			  "the .git file of %s does not name git's entry %s",
			  s->spec.worktree, s->spec.worktree_id);

	f->hint = mem_printf("`git -C %s worktree repair` repairs it",
			     s->spec.repository);
}

int reconcile_probe_worktrees_gone(struct reconcile_run *r, struct err *err)
{
	for (size_t i = 0; i < r->sessions.n; i++) {
		const struct session *s = &r->sessions.v[i];
		struct finding *f;
		struct err why;
		int fd;

		if (s->broken || !spec_has_worktree(&s->spec))
			continue;
		fd = spec_open_worktree(&s->spec, &why);
		if (fd >= 0) {
			if (!names_entry(fd, &s->spec))
				add_git_file(r, s);
			close(fd);
			continue;
		}
		f = reconcile_add(r,
				  errno == ENOENT ? "session_without_worktree"
						  : "worktree_replaced",
				  s, s->spec.worktree, "%s", why.what);
		f->hint = mem_strdup(why.hint[0] ? why.hint : NULL);
	}
	return 0;
}

/* -- the directories of worktrees ------------------------------------------ */

static bool is_claimed(const struct reconcile_run *r, const char *path)
{
	for (size_t i = 0; i < r->sessions.n; i++)
		if (r->sessions.v[i].spec.worktree &&
		    strcmp(r->sessions.v[i].spec.worktree, path) == 0)
			return true;
	return false;
}

static void look_at_trash(struct reconcile_run *r, const char *dir)
{
	DIR *d = file_list(AT_FDCWD, dir);
	const char *name;

	while ((name = file_list_next(d))) {
		char *path;

		if (name[0] == '.' || reconcile_is_trashed(r, name))
			continue;
		path = file_join(dir, name);
		reconcile_add(
		    r, "trash_without_session", NULL, path,
		    "%s is in the trash, but no session is there for it", path);
		free(path);
	}
	file_list_end(d);
}

/* Once it has that name, it was looked at: afw-worktree(8), purge and sweep. */
static void look_at_purged(struct reconcile_run *r, int dir, const char *name,
			   const char *path, struct err *err)
{
	struct finding *f;

	f = reconcile_add(r, "removal_unfinished", NULL, path,
			  "%s is what a removal that was cut off has left; the "
			  "next one deletes it",
			  path);
	f->safe = true;
	f->repaired = r->how->apply && delete_tree(dir, name, err) == 0;
}

/* That of a repository whose name begins with a dot does so, too. */
static bool is_worktree(const char *path, const char *name)
{
	char *git = file_join(path, ".git");
	bool is = name[0] != '.' || access(git, F_OK) == 0;

	free(git);
	return is;
}

static int look_in(struct reconcile_run *r, const char *dir, struct err *err)
{
	DIR *d = file_list(AT_FDCWD, dir);
	const char *name;

	if (!d && errno != ENOENT)
		return err_errno(err, "list %s", dir);
	while ((name = file_list_next(d))) {
		char *path = file_join(dir, name);
		struct finding *f;

		if (strcmp(name, ".trash") == 0) {
			look_at_trash(r, path);
		} else if (random_is_named(name, ".purged-", SPEC_ID_LEN)) {
			look_at_purged(r, dirfd(d), name, path, err);
		} else if (is_worktree(path, name) && !is_claimed(r, path)) {
			f = reconcile_add(
			    r, "worktree_without_session", NULL, path,
			    "no session has the worktree %s", path);
			f->hint = mem_printf(
			    "look at it; `git -C %s worktree remove %s` "
			    "removes it",
			    path, path);
		}
		free(path);
	}
	file_list_end(d);
	return 0;
}

static char *place_of(const char *repository)
{
	const char *slash = strrchr(repository, '/');

	return mem_printf("%.*s/.af_worktrees", (int)(slash - repository),
			  repository);
}

int reconcile_probe_directories(struct reconcile_run *r, struct err *err)
{
	struct strv seen = {0};
	int rc = 0;

	for (size_t i = 0; i < r->repositories.n; i++) {
		char *dir = place_of(r->repositories.v[i]);

		if (!strv_has(&seen, dir) && look_in(r, dir, err) < 0)
			rc = -1;
		strv_take(&seen, dir);
	}
	/* And where others were made (worktree_location). */
	for (size_t i = 0; i < r->sessions.n; i++) {
		const char *path = r->sessions.v[i].spec.worktree;
		const char *slash = path ? strrchr(path, '/') : NULL;
		char *dir;

		if (!slash)
			continue;
		dir = mem_strndup(path, (size_t)(slash - path));
		if (!strv_has(&seen, dir) && look_in(r, dir, err) < 0)
			rc = -1;
		strv_take(&seen, dir);
	}
	strv_finish(&seen);
	return rc;
}

/* -- git --------------------------------------------------------------------
 */

static void entries(struct reconcile_run *r, const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (
	    o, cJSON_GetObjectItemCaseSensitive(answer, "entries")) {
		const char *path = json_str_or(o, "worktree", "?");
		struct finding *f = reconcile_add(
		    r, "git_entry", NULL, path,
		    "git has an entry for the worktree %s, which is gone",
		    path);

		f->hint = mem_strdup(
		    "if it was moved: `git worktree repair PATH`; if it is "
		    "gone for good, with its commits: `git worktree prune`");
	}
}

/* What a run that was killed has left in git's books. */
static void unfinished(struct reconcile_run *r, const char *repository,
		       const cJSON *answer)
{
	long long n = json_int(answer, "half_removed", 0);
	struct finding *f;
	const cJSON *o;

	cJSON_ArrayForEach (
	    o, cJSON_GetObjectItemCaseSensitive(answer, "half_made")) {
		f = reconcile_add(r, "new_unfinished", NULL, repository,
				  "the worktree %s in %s was being made by an "
				  "`afw new` that was cut off",
				  json_str_or(o, "id", "?"), repository);
		f->safe = true;
		f->repaired = json_bool(o, "cleared", false);
	}
	if (n == 0)
		return;
	f = reconcile_add(r, "removal_unfinished", NULL, repository,
			  "%lld entr%s of git's in %s %s left by a run that "
			  "was cut off; the next one deletes %s",
			  n, n == 1 ? "y" : "ies", repository,
			  n == 1 ? "was" : "were", n == 1 ? "it" : "them");
	f->safe = true;
	f->repaired = r->how->apply;
}

static void branches(struct reconcile_run *r, const char *repository,
		     const cJSON *answer)
{
	const cJSON *o;

	cJSON_ArrayForEach (
	    o, cJSON_GetObjectItemCaseSensitive(answer, "branches")) {
		const char *branch = json_str_or(o, "branch", "?");
		bool merged = json_bool(o, "merged", false);
		struct finding *f = reconcile_add(
		    r, "branch_without_session", NULL, repository,
		    "the branch %s in %s has no session: %s", branch,
		    repository,
		    merged ? "another branch has all of its commits"
			   : "it has commits that no other branch has");

		if (merged)
			f->hint =
			    mem_printf("`git -C %s branch -d %s` deletes it",
				       repository, branch);
	}
}

/* The worktree and the branch that s has, where it is of that repository. */
static void add_recorded(const struct spec *s, const char *repository,
			 struct strv *ids, struct strv *names)
{
	if (!s->repository || strcmp(s->repository, repository) != 0)
		return;
	if (s->worktree_id) {
		strv_add(ids, s->worktree_id);
		strv_addf(ids, "afw-trash-%s", s->id);
	}
	if (s->branch)
		strv_add(names, s->branch);
}

int reconcile_probe_git(struct reconcile_run *r, struct err *err)
{
	int rc = 0;

	for (size_t i = 0; i < r->repositories.n; i++) {
		const char *repository = r->repositories.v[i];
		struct strv ids = {0}, names = {0};
		cJSON *rq = cJSON_CreateObject(), *answer;
		struct stat st;

		for (size_t j = 0; j < r->sessions.n; j++)
			add_recorded(&r->sessions.v[j].spec, repository, &ids,
				     &names);
		/* What is in the trash may come back. */
		for (size_t j = 0; j < r->trash.n; j++)
			add_recorded(&r->trash.v[j].spec, repository, &ids,
				     &names);
		json_set_str(rq, "op", "reconcile");
		json_set_str(rq, "path", repository);
		json_set_str(rq, "branch_prefix", r->how->branch_prefix);
		json_set_strv(rq, "keep_ids", &ids);
		json_set_strv(rq, "keep_branches", &names);
		json_set_bool(rq, "apply", r->how->apply);
		if (stat(repository, &st) < 0 && errno == ENOENT) {
			reconcile_add(
			    r, "repository_gone", NULL, repository,
			    "the repository %s of %zu session%s is gone",
			    repository, names.n, names.n == 1 ? "" : "s");
		} else {
			answer =
			    worktree_client_run(rq, NULL, NULL, GIT_MS, err);
			if (!answer)
				rc = err_prefix(err, "%s", repository);
			unfinished(r, repository, answer);
			entries(r, answer);
			branches(r, repository, answer);
			cJSON_Delete(answer);
		}
		cJSON_Delete(rq);
		strv_finish(&ids);
		strv_finish(&names);
	}
	return rc;
}
