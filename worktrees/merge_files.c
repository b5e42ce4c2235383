/*
 * merge_files.c - the worktree that has the branch checked out follows it.
 *
 * git's lock on the index is held from the first look to the end. Files first,
 * the index behind them in one rename; the branch (merge.c) is the last. So
 * wherever this is killed, the next run finds files that are as they were or
 * as they are to be, and finishes.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/gitfile.h"
#include "base/mem.h"
#include "worktrees/index_entry.h"
#include "worktrees/merge.h"
#include "worktrees/merge_stage.h"
#include "worktrees/merged.h"
#include "worktrees/work.h"

/* What is to be done there. */
struct change {
	struct holder *h;
	git_index *index;
	git_diff *diff; /* of the branch's old tree and its new one */
	git_tree *old, *new;
	struct strv todo;   /* to be made, changed or deleted */
	struct strv done;   /* are as they are to be */
	struct stage stage; /* todo, with what was seen there */
	struct strv dirty;  /* are neither as they were nor so */
	bool modes;	    /* core.fileMode */
};

/* -- the worktree ------------------------------------------------------------
 */

/* git's entry, or "" for the main one. */
static int open_git(struct holder *h, const struct merge *m, const char *entry,
		    struct err *err)
{
	const char *common = m->repo.git_dir, *dir;
	char *admin = *entry ? mem_printf("%s/worktrees/%s", common, entry)
			     : mem_strdup(common);
	int rc = 0;

	if (!*entry && m->repo.bare)
		rc =
		    err_set(err, ERR_FAILED,
			    "nobody can tell where %s is checked out", m->into);
	else if (repo_open_git(&h->git, admin) < 0)
		rc = repo_err(err, ERR_FAILED, "open %s", admin);
	dir = rc == 0 ? git_repository_workdir(h->git) : NULL;
	/* Not a directory that git's files only claim. */
	if (rc == 0 && (!dir || !gitfile_leads_to(dir, admin))) {
		err_set(err, ERR_FAILED,
			"%s is checked out in a worktree that is gone (%s)",
			m->into, dir ? dir : admin);
		rc = err_hint(err, "git worktree prune");
	}
	if (rc == 0) {
		h->path = mem_strndup(dir, strlen(dir) - 1);
		h->index = mem_printf("%s/index", admin);
	}
	free(admin);
	return rc;
}

int holder_open(struct holder *h, const struct merge *m, struct err *err)
{
	struct strv entries = {0};
	int rc;

	*h = (struct holder){0};
	rc = merged_holders(m->repo.main, m->into_ref, &entries, err);
	if (rc < 0)
		goto out;
	if (entries.n > 1)
		rc = err_set(err, ERR_CONFLICT,
			     "%s is checked out in %zu worktrees", m->into,
			     entries.n);
	else if (entries.n == 1 &&
		 !(!*entries.v[0] && git_repository_is_bare(m->repo.main)))
		rc = open_git(h, m, entries.v[0], err);
	if (rc == 0 && h->git &&
	    git_repository_state(h->git) != GIT_REPOSITORY_STATE_NONE)
		rc = err_set(err, ERR_CONFLICT,
			     "a merge, rebase or the like is not done in %s",
			     h->path);
out:
	strv_finish(&entries);
	return rc;
}

void holder_finish(struct holder *h)
{
	index_lock_finish(&h->lock);
	free(h->index);
	git_repository_free(h->git);
	free(h->path);
	*h = (struct holder){0};
}

/* -- what is there -----------------------------------------------------------
 */

static bool is_link_to(const struct change *c, int dir, const char *name,
		       const git_diff_file *f)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof target);
	git_oid oid;

	return n >= 0 && f->mode == GIT_FILEMODE_LINK &&
	       git_odb_hash(&oid, target, (size_t)n, GIT_OBJECT_BLOB) == 0 &&
	       git_oid_equal(&oid, &f->id);
}

static bool is_file(const struct change *c, const struct stat *st,
		    const git_diff_file *f)
{
	bool runs = f->mode == GIT_FILEMODE_BLOB_EXECUTABLE;
	git_oid oid;

	return f->mode != GIT_FILEMODE_LINK &&
	       (!c->modes || runs == ((st->st_mode & S_IXUSR) != 0)) &&
	       git_repository_hashfile(&oid, c->h->git, f->path,
				       GIT_OBJECT_BLOB, NULL) == 0 &&
	       git_oid_equal(&oid, &f->id);
}

/* Whether the path is as f has it; mode 0: is not there. Through no link. What
 * there is goes into seen. */
static bool is_as(const struct change *c, const git_diff_file *f,
		  struct stat *seen)
{
	bool none = f->mode == GIT_FILEMODE_UNREADABLE;
	struct stat st = {0};
	const char *name;
	int dir = file_open_parent(AT_FDCWD, c->h->path, f->path, 0, &name);
	bool as = false;

	*seen = (struct stat){0};
	if (dir < 0)
		return none && (errno == ENOENT || errno == ENOTDIR);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		as = none && errno == ENOENT;
	else if (S_ISDIR(st.st_mode))
		as = none; /* what is in it is libgit2's to find in the way */
	else if (S_ISLNK(st.st_mode))
		as = is_link_to(c, dir, name, f);
	else if (S_ISREG(st.st_mode))
		as = is_file(c, &st, f);
	if (!S_ISDIR(st.st_mode))
		*seen = st;
	file_close(dir);
	return as;
}

static bool is_in_index(const struct change *c, const git_diff_file *f)
{
	const git_index_entry *e = git_index_get_bypath(c->index, f->path, 0);

	for (int stage = 1; stage <= 3; stage++)
		if (git_index_get_bypath(c->index, f->path, stage))
			return false;
	if (!e)
		return f->mode == GIT_FILEMODE_UNREADABLE;
	return e->mode == f->mode && git_oid_equal(&e->id, &f->id);
}

/* What git would do there and we do not. */
static int check_kind(const struct change *c, const git_diff_delta *d,
		      struct err *err)
{
	const char *path = d->new_file.path;
	char *filter = NULL;
	int rc = 0;

	if (d->old_file.mode == GIT_FILEMODE_COMMIT ||
	    d->new_file.mode == GIT_FILEMODE_COMMIT)
		rc =
		    err_set(err, ERR_REFUSED,
			    "%s is a submodule, which afw does not move", path);
	else if ((filter = work_filter(c->h->git, path)))
		rc = err_set(err, ERR_REFUSED,
			     "%s has the filter %s, which afw does not run",
			     path, filter);
	if (rc < 0)
		err_hint(err, "git merge, in %s", c->h->path);
	free(filter);
	return rc;
}

static void add_todo(struct change *c, const git_diff_delta *d,
		     const struct stat *seen)
{
	strv_add(&c->todo, d->new_file.path);
	stage_add(&c->stage, d->new_file.path, seen,
		  d->status == GIT_DELTA_DELETED);
}

static int look(struct change *c, struct err *err)
{
	for (size_t i = 0; i < git_diff_num_deltas(c->diff); i++) {
		const git_diff_delta *d = git_diff_get_delta(c->diff, i);
		git_diff_file old = d->old_file, new = d->new_file;
		struct stat seen;

		if (check_kind(c, d, err) < 0)
			return -1;
		if (d->status == GIT_DELTA_ADDED)
			old.mode = GIT_FILEMODE_UNREADABLE;
		if (d->status == GIT_DELTA_DELETED)
			new.mode = GIT_FILEMODE_UNREADABLE;
		if (!is_in_index(c, &old) && !is_in_index(c, &new))
			strv_add(&c->dirty, new.path);
		else if (is_as(c, &new, &seen))
			strv_add(&c->done, new.path);
		else if (is_as(c, &old, &seen) && is_in_index(c, &old))
			add_todo(c, d, &seen);
		else
			strv_add(&c->dirty, new.path);
	}
	return 0;
}

/* -- the change --------------------------------------------------------------
 */

static int on_conflict(git_checkout_notify_t why, const char *path,
		       const git_diff_file *baseline,
		       const git_diff_file *target,
		       const git_diff_file *workdir, void *dirty)
{
	strv_add(dirty, path);
	return 0;
}

/* libgit2 looks at each once more, and at what is in the way. It would write
 * into the files themselves: that is merge_stage.c's. */
static int look_again(struct change *c, struct err *err)
{
	git_checkout_options opt;
	int rc;

	if (c->todo.n == 0)
		return 0;
	git_checkout_options_init(&opt, GIT_CHECKOUT_OPTIONS_VERSION);
	opt.checkout_strategy = GIT_CHECKOUT_NONE |
				GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH |
				GIT_CHECKOUT_DONT_OVERWRITE_IGNORED;
	opt.baseline = c->old;
	opt.paths.strings = c->todo.v;
	opt.paths.count = c->todo.n;
	opt.notify_flags = GIT_CHECKOUT_NOTIFY_CONFLICT;
	opt.notify_cb = on_conflict;
	opt.notify_payload = &c->dirty;
	rc = git_checkout_tree(c->h->git, (git_object *)c->new, &opt);
	if (rc == GIT_ECONFLICT && c->dirty.n)
		return 0;
	return rc < 0 ? repo_err(err, ERR_FAILED, "look at the files of %s",
				 c->h->path)
		      : 0;
}

/* As the tree has it, with the file's stat data; or no more. */
static int add_entry(struct change *c, const char *path, struct err *err)
{
	git_index_entry e = {.path = path};
	git_tree_entry *t = NULL;
	struct stat st;
	const char *name;
	int dir, rc = 0;

	if (git_tree_entry_bypath(&t, c->new, path) < 0) {
		git_index_remove(c->index, path, 0);
		return 0;
	}
	dir = file_open_parent(AT_FDCWD, c->h->path, path, 0, &name);
	if (dir >= 0 && fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
		index_entry_stat(&e, &st);
	file_close(dir);
	e.mode = git_tree_entry_filemode(t);
	e.id = *git_tree_entry_id(t);
	if (git_index_add(c->index, &e) < 0)
		rc = repo_err(err, ERR_FAILED, "add %s to the index", path);
	git_tree_entry_free(t);
	return rc;
}

static int change(struct change *c, struct err *err)
{
	int rc = 0;

	if (stage_make(&c->stage, c->h->git, c->new, err) < 0 ||
	    stage_place(&c->stage, err) < 0)
		return -1;
	for (size_t i = 0; rc == 0 && i < c->todo.n; i++)
		rc = add_entry(c, c->todo.v[i], err);
	for (size_t i = 0; rc == 0 && i < c->done.n; i++)
		rc = add_entry(c, c->done.v[i], err);
	return rc == 0 ? index_lock_end(&c->h->lock, c->index, err) : -1;
}

static int read_trees(struct change *c, const struct merge *m, struct err *err)
{
	git_diff_options opt;
	git_commit *old = NULL, *new = NULL;
	int rc = 0;

	git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
	opt.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
	if (git_commit_lookup(&old, c->h->git, &m->old) < 0 ||
	    git_commit_lookup(&new, c->h->git, &m->result) < 0 ||
	    git_commit_tree(&c->old, old) < 0 ||
	    git_commit_tree(&c->new, new) < 0 ||
	    git_diff_tree_to_tree(&c->diff, c->h->git, c->old, c->new, &opt) <
		0)
		rc = repo_err(err, ERR_FAILED, "compare %s and %s", m->branch,
			      m->into);
	git_commit_free(old);
	git_commit_free(new);
	return rc;
}

static int update(struct change *c, struct merge *m, struct err *err)
{
	struct holder *h = c->h;
	bool dry_run = m->dry_run;

	if (read_trees(c, m, err) < 0 ||
	    (!dry_run && index_lock_take(&h->lock, h->index, NULL, err) < 0) ||
	    index_lock_open(dry_run ? h->index : h->lock.lock, h->git,
			    &c->index, err) < 0 ||
	    look(c, err) < 0)
		return -1;
	if (c->dirty.n == 0 && look_again(c, err) < 0)
		return -1;
	json_set_str(m->answer, "worktree", h->path);
	if (c->dirty.n)
		merge_refuse(m, "modified", &c->dirty);
	if (c->dirty.n || dry_run)
		return 0;
	return change(c, err);
}

int holder_update(struct holder *h, struct merge *m, struct err *err)
{
	struct change c = {.h = h, .stage = {.admin = -1, .worktree = h->path}};
	git_config *config = NULL;
	int modes = 1, rc;

	if (git_repository_config_snapshot(&config, h->git) == 0)
		git_config_get_bool(&modes, config, "core.filemode");
	git_config_free(config);
	c.modes = modes != 0;
	rc = update(&c, m, err);
	git_diff_free(c.diff);
	git_tree_free(c.old);
	git_tree_free(c.new);
	git_index_free(c.index);
	stage_finish(&c.stage);
	strv_finish(&c.todo);
	strv_finish(&c.done);
	strv_finish(&c.dirty);
	return rc;
}
