/*
 * take.c - takes a checkpoint.
 *
 * The index is only read if its file has changed since the last checkpoint. Its
 * blobs that HEAD's commit lacks are kept in the tree "staged", by id.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/limits.h"
#include "worktrees/private/import_objects.h"
#include "worktrees/private/private_commit.h"
#include "worktrees/private/private_ref.h"

#define TRIES	    20
#define RULES_MAX   ((size_t)4 << 20) /* as limits.h */
#define RACY_MS	    100
#define RACY_ODD_MS 2000 /* if times may have no fractions */

/* -- HEAD ------------------------------------------------------------------
 */

static int take_private_head(struct checkpoint *c,
			     const struct repo_worktree *w, const char *dir,
			     struct err *err)
{
	int rc =
	    private_ref_find(dir, c->head ? c->head : "HEAD", &c->commit, err);
	_git_odb_ git_odb *odb = NULL;

	if (rc <= 0)
		return rc;
	if (git_repository_odb(&odb, w->git) < 0)
		return repo_err(err, ERR_FAILED, "open the object store");
	/* Another branch than its own is not imported. */
	return git_odb_exists(odb, &c->commit)
		   ? 0
		   : import_objects(w, dir, &c->commit, NULL, err);
}

static int take_head(struct checkpoint *c, const struct repo_worktree *w,
		     const char *private, struct err *err)
{
	_free_ char *file = file_join(private ? private : w->admin, "HEAD"),
		    *line = repo_line(AT_FDCWD, file);

	if (!line)
		return err_errno(err, "read %s", file);
	if (strncmp(line, "ref: ", 5) == 0)
		c->head = mem_strdup(line + 5);
	if (private)
		return take_private_head(c, w, private, err);
	/* A branch may have no commit yet. */
	if (git_reference_name_to_id(&c->commit, w->git, "HEAD") < 0)
		c->commit = (git_oid){0};
	return 0;
}

/* -- the index -------------------------------------------------------------
 */

static char *print_stat(const struct stat *st)
{
	return mem_printf("%ju %jd %jd.%09ld %jd.%09ld", (uintmax_t)st->st_ino,
			  (intmax_t)st->st_size, (intmax_t)st->st_mtim.tv_sec,
			  st->st_mtim.tv_nsec, (intmax_t)st->st_ctim.tv_sec,
			  st->st_ctim.tv_nsec);
}

/* Adds the blob, if HEAD's commit lacks it. A blob that the store lacks as well
 * is an empty file, of `git add -N`, or in a partial clone; or an agent has put
 * its id, or that of another object, into the index. */
static int keep_blob(git_treebuilder *to, git_odb *odb, git_index *head,
		     const git_index_entry *e)
{
	const git_index_entry *old = git_index_get_bypath(head, e->path, 0);
	git_object_t type;
	size_t size;

	if (e->mode == GIT_FILEMODE_COMMIT ||
	    (old && git_oid_equal(&old->id, &e->id)) ||
	    git_odb_read_header(&size, &type, odb, &e->id) < 0 ||
	    type != GIT_OBJECT_BLOB)
		return 0;
	return git_treebuilder_insert(NULL, to, git_oid_tostr_s(&e->id), &e->id,
				      GIT_FILEMODE_BLOB);
}

static void print_entry(const git_index_entry *e, struct buf *out)
{
	buf_addf(out, "%o %s %d %x ", e->mode, git_oid_tostr_s(&e->id),
		 git_index_entry_stage(e),
		 (e->flags & GIT_INDEX_ENTRY_VALID) |
		     (e->flags_extended & GIT_INDEX_ENTRY_EXTENDED_FLAGS));
	buf_add(out, e->path, strlen(e->path) + 1);
}

/* Fills head with the files of HEAD's commit. */
static int read_head(git_index **head, const struct checkpoint *c,
		     git_repository *git)
{
	_git_tree_ git_tree *tree = git_oid_is_zero(&c->commit)
					? NULL
					: repo_tree(git, &c->commit, NULL);

	if (git_index_new(head) < 0)
		return -1;
	return tree ? git_index_read_tree(*head, tree) : 0;
}

int checkpoint_take_staged(struct checkpoint *c, git_repository *git,
			   git_odb *odb, git_index *index)
{
	git_treebuilder *to = NULL;
	_git_index_ git_index *head = NULL;
	_buf_ struct buf text = {0};
	git_oid is;
	int rc = read_head(&head, c, git);

	buf_adds(&text, "");
	if (rc == 0)
		rc = git_treebuilder_new(&to, git, NULL);
	for (size_t i = 0; rc == 0 && i < git_index_entrycount(index); i++) {
		const git_index_entry *e = git_index_get_byindex(index, i);

		rc = keep_blob(to, odb, head, e);
		print_entry(e, &text);
	}
	if (rc == 0)
		rc = git_treebuilder_write(&c->staged, to);
	if (rc == 0)
		rc = git_odb_hash(&is, text.data, text.len, GIT_OBJECT_BLOB);
	if (rc == 0)
		mem_set(&c->index_is, git_oid_tostr_s(&is));
	git_treebuilder_free(to);
	return rc;
}

static bool is_same_index(const struct checkpoint *c,
			  const struct checkpoint *before,
			  const struct stat *st)
{
	_free_ char *stat = print_stat(st);
	const struct timespec *t = &st->st_ctim;
	int64_t changed = (int64_t)t->tv_sec * 1000 + t->tv_nsec / 1000000;

	return before && before->index_stat &&
	       strcmp(before->index_stat, stat) == 0 &&
	       git_oid_equal(&before->commit, &c->commit) &&
	       before->at > changed + (t->tv_nsec ? RACY_MS : RACY_ODD_MS);
}

/* Copies what is known of an index with these bytes; false: nothing is. */
static bool know_index(struct checkpoint *c, const struct checkpoint *known,
		       const struct buf *text)
{
	if (!known || !known->number ||
	    !git_oid_equal(&known->commit, &c->commit) ||
	    git_odb_hash(&c->index, text->data, text->len, GIT_OBJECT_BLOB) <
		0 ||
	    !git_oid_equal(&known->index, &c->index))
		return false;
	c->staged = known->staged;
	mem_set(&c->index_is, known->index_is);
	return true;
}

/* Reads the index's bytes and, unless they are known, opens it, the same file
 * both times. */
static int open_index(struct checkpoint *c, const struct checkpoint *known,
		      const char *file, struct buf *text, git_repository *git,
		      git_index **index, struct err *err)
{
	struct stat before, after;
	bool same = false;

	for (int i = 0; !same && i < TRIES; i++) {
		buf_clear(text);
		git_index_free(*index);
		*index = NULL;
		if (lstat(file, &before) < 0 ||
		    file_read(AT_FDCWD, file, SCAN_INDEX_MAX, text, err) < 0)
			return err_errno(err, "read the index %s", file);
		if (!know_index(c, known, text) &&
		    sparse_index_open(index, file, git) < 0)
			return index_lock_unreadable(git, err);
		same = lstat(file, &after) == 0 &&
		       before.st_ino == after.st_ino &&
		       before.st_mtim.tv_sec == after.st_mtim.tv_sec &&
		       before.st_mtim.tv_nsec == after.st_mtim.tv_nsec;
	}
	if (!same)
		return err_set(err, ERR_CONFLICT,
			       "another git keeps changing the index");
	c->index_stat = print_stat(&before);
	c->index_mtime = before.st_mtim;
	return 0;
}

/* Returns 1 if it is as before; 0; -1. */
static int take_index(struct checkpoint *c, struct scan *s, const char *private,
		      const struct checkpoint *before, struct err *err)
{
	_buf_ struct buf text = {0};
	struct stat st;

	s->index_file = file_join(private ? private : s->w->admin, "index");
	if (lstat(s->index_file, &st) == 0 && is_same_index(c, before, &st)) {
		c->index = before->index;
		c->staged = before->staged;
		c->index_is = mem_strdup(before->index_is);
		c->index_stat = mem_strdup(before->index_stat);
		c->index_mtime = before->index_mtime;
		return 1;
	}
	if (open_index(c, before, s->index_file, &text, s->w->git, &s->tracked,
		       err) < 0)
		return -1;
	if (!s->tracked)
		return 1;
	if ((private &&
	     import_objects(s->w, private, NULL, s->tracked, err) < 0))
		return -1;
	if (checkpoint_take_staged(c, s->w->git, s->odb, s->tracked) < 0 ||
	    git_odb_write(&c->index, s->odb, text.data, text.len,
			  GIT_OBJECT_BLOB) < 0)
		return repo_err(err, ERR_FAILED, "store the index");
	return 0;
}

/* -- what is ignored -------------------------------------------------------
 */

static void add_rules(struct buf *to, const char *path)
{
	_close_ int fd = limits_open(path, O_RDONLY | O_CLOEXEC, 0);

	if (fd >= 0)
		file_read_fd(fd, RULES_MAX, to);
	buf_adds(to, "\n");
}

/* Stores the user's patterns and those of the repository, which are not files
 * of the worktree; the last ones override. */
static int take_rules(struct checkpoint *c, const struct scan *s,
		      struct err *err)
{
	const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
	_free_ char *info = file_join(s->w->git_dir, "info/exclude"),
		    *user = xdg && *xdg ? mem_printf("%s/git/ignore", xdg)
					: mem_printf("%s/.config/git/ignore",
						     home ? home : "");
	_git_config_ git_config *config = NULL;
	_git_buf_ git_buf path = {0};
	_buf_ struct buf text = {0};

	add_rules(&text, git_repository_config(&config, s->w->git) == 0 &&
				 git_config_get_path(&path, config,
						     "core.excludesfile") == 0
			     ? path.ptr
			     : user);
	add_rules(&text, info);
	return git_odb_write(&c->rules, s->odb, text.data, text.len,
			     GIT_OBJECT_BLOB) < 0
		   ? repo_err(err, ERR_FAILED, "store what is ignored")
		   : 0;
}

/* -- all -------------------------------------------------------------------
 */

static int take_files(struct checkpoint *c, struct scan *s, struct err *err)
{
	int rc;

	if (scan_run(s, err) < 0)
		return -1;
	rc = git_index_write_tree_to(&c->files, s->files, s->w->git);
	if (rc < 0) { /* a tree that the last scan has written is gone */
		scan_forget(s);
		if (scan_run(s, err) < 0)
			return -1;
		rc = git_index_write_tree_to(&c->files, s->files, s->w->git);
	}
	if (rc < 0)
		return repo_err(err, ERR_FAILED, "store the files");
	strv_copy(&c->empty, &s->empty);
	strv_copy(&c->left_out, &s->left_out);
	strv_copy(&c->modes, &s->modes);
	return 0;
}

int checkpoint_take(struct checkpoint *c, struct scan *s, const char *private,
		    const struct checkpoint *before, struct err *err)
{
	int same;

	/* Two lists are comparable only with the same one. */
	if (before && before->number)
		s->umask = before->umask;
	c->umask = s->umask;
	c->at = clock_wall_ms();
	c->unfinished = private ? private_commit_unfinished(private)
				: git_repository_state(s->w->git) !=
				      GIT_REPOSITORY_STATE_NONE;
	if (take_head(c, s->w, private, err) < 0 ||
	    (same = take_index(c, s, private, before, err)) < 0 ||
	    take_rules(c, s, err) < 0)
		return -1;
	if (same && s->touched && git_oid_equal(&c->rules, &before->rules) &&
	    checkpoint_take_touched(c, s, before) == 0)
		return 0;
	s->touched = NULL;
	return take_files(c, s, err);
}

int64_t checkpoint_undone(const struct checkpoint_log *log, git_repository *git)
{
	size_t redone = 0;
	struct err err;

	for (size_t i = log->n; i-- > 0;) {
		_checkpoint_ struct checkpoint c = {0};

		if (checkpoint_load(&c, git, &log->v[i], &err) < 0)
			continue;
		if (c.redo_of)
			redone++;
		else if (c.undone_to && redone-- == 0)
			return c.number;
	}
	return 0;
}

/* Drops the oldest ones over keep, but not kept, nor the last. */
static void drop_old(struct checkpoint_log *log, git_repository *git,
		     int64_t keep, int64_t kept)
{
	size_t over = keep > 0 && log->n > (size_t)keep ? log->n - (size_t)keep
							: 0,
	       to = 0;
	int64_t undone = over ? checkpoint_undone(log, git) : 0;

	for (size_t i = 0; i < log->n; i++) {
		int64_t number = log->v[i].number;

		if (over && number != kept && number != undone &&
		    i + 1 < log->n)
			over--;
		else
			log->v[to++] = log->v[i];
	}
	log->n = to;
}

void checkpoint_newest(struct checkpoint *c, const struct checkpoint_log *log,
		       git_repository *git)
{
	struct err err;

	*c = (struct checkpoint){0};
	if (log->n && checkpoint_load(c, git, &log->v[log->n - 1], &err) < 0)
		checkpoint_finish(c);
}

int checkpoint_add(struct checkpoint_log *log, struct checkpoint *c,
		   const struct repo_worktree *w, int64_t keep, int64_t kept,
		   struct err *err)
{
	struct checkpoint_entry e;

	c->number = log->n ? log->v[log->n - 1].number + 1 : 1;
	if (checkpoint_store(c, w->git, &e, err) < 0)
		return -1;
	log->v = mem_grow(log->v, log->n, sizeof *log->v);
	log->v[log->n++] = e;
	drop_old(log, w->git, keep, kept);
	return checkpoint_log_write(log, w, err);
}
