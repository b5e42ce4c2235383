/*
 * merge_files.c - the worktree that has the branch checked out follows it.
 *
 * git's lock on the index is held from the first check to the end. Everything
 * is checked before the first file is touched. Then the files change, then the
 * index in one rename, and the branch (merge.c) is the last. If one of them
 * fails, those before it are put back.
 *
 * If this is killed, each file is as it was, as it will be, or absent: the same
 * merge, made again, finishes.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/gitfile.h"
#include "base/mem.h"
#include "worktrees/changes/work.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/merged.h"
#include "worktrees/git/sparse.h"
#include "worktrees/merge/merge.h"

/* What is to be done there. */
struct change {
	struct holder *h;
	git_index *index;
	git_diff *diff; /* of the branch's old tree and its new one */
	struct sparse sparse;
	struct strv dirty; /* what is in the way */
	bool modes;	   /* core.fileMode */
	dev_t dev;
};

/* -- the worktree ------------------------------------------------------------
 */

/* There is one, but nothing in it leads back to the git directory. */
static int lost_main(const struct merge *m, struct err *err)
{
	err_set(err, ERR_FAILED,
		"%s is checked out in a main worktree that afw cannot find",
		m->into);
	return err_hint(err,
			"in that worktree, run: git --git-dir=%s config "
			"core.worktree \"$PWD\"; echo 'gitdir: %s' >.git",
			m->repo.git_dir, m->repo.git_dir);
}

/*
 * git's entry, or "" for the main one: that is where repo_open() has found it,
 * as the git directory may lie apart and not say where.
 */
static int open_git(struct holder *h, const struct merge *m, const char *entry,
		    struct err *err)
{
	const char *common = m->repo.git_dir, *dir;
	char *admin = *entry ? mem_printf("%s/worktrees/%s", common, entry)
			     : mem_strdup(common);
	int rc = 0;

	if (!*entry && m->repo.bare)
		rc = lost_main(m, err);
	else if (repo_open_git(&h->git, admin) < 0 ||
		 (!*entry && repo_set_workdir(h->git, m->repo.path) < 0))
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
	struct strv found = {0};
	bool rebases;
	int rc =
	    merged_worktrees(m->repo.main, m->into_ref, &found, &rebases, err);

	if (rc == 0 && rebases)
		rc = err_set(err, ERR_CONFLICT,
			     "%s is being rebased in a worktree", m->into);
	else if (rc == 0 && found.n > 1)
		rc = err_set(err, ERR_CONFLICT,
			     "%s is checked out in %zu worktrees", m->into,
			     found.n);
	else if (rc == 0 && found.n == 1)
		rc = open_git(h, m, found.v[0], err);
	if (rc == 0 && h->git &&
	    git_repository_state(h->git) != GIT_REPOSITORY_STATE_NONE)
		rc = err_set(err, ERR_CONFLICT,
			     "a merge, rebase or the like is not done in %s",
			     h->path);
	strv_finish(&found);
	return rc;
}

void holder_finish(struct holder *h)
{
	swap_finish(&h->swap);
	index_lock_finish(&h->new);
	index_lock_finish(&h->lock);
	free(h->index);
	git_repository_free(h->git);
	free(h->path);
	*h = (struct holder){.swap = {.dir = -1, .worktree = -1}};
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

/* Whether the diff has the path. Each of those is checked for itself. */
static bool is_in_diff(const void *diff, const char *path)
{
	size_t from = 0, to = git_diff_num_deltas(diff);

	while (from < to) {
		size_t i = from + (to - from) / 2;
		int d =
		    strcmp(git_diff_get_delta(diff, i)->new_file.path, path);

		if (d == 0)
			return true;
		if (d < 0)
			from = i + 1;
		else
			to = i;
	}
	return false;
}

static bool holds_no_other(const struct change *c, const char *path)
{
	return swap_has_only(c->h->swap.worktree, path, path, is_in_diff,
			     c->diff);
}

/*
 * Whether the path is as f has it; mode 0: nothing is there, or a directory
 * with no other files than those of the diff. Follows no link. Returns absent
 * if nothing is there. Else seen gets what is there, unless it is a directory.
 */
static bool is_as(const struct change *c, const git_diff_file *f, bool absent,
		  struct stat *seen)
{
	struct stat st = {0};
	const char *name;
	int dir = file_open_parent(c->h->swap.worktree, ".", f->path, 0, &name);
	bool as = false;

	*seen = (struct stat){0};
	if (dir < 0)
		return absent && (errno == ENOENT || errno == ENOTDIR);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		as = absent && errno == ENOENT;
	else if (S_ISDIR(st.st_mode))
		as = f->mode == GIT_FILEMODE_COMMIT ||
		     (!f->mode && holds_no_other(c, f->path));
	else if (S_ISLNK(st.st_mode))
		as = is_link_to(c, dir, name, f);
	else if (S_ISREG(st.st_mode))
		as = is_file(c, &st, f);
	if (!S_ISDIR(st.st_mode))
		*seen = st;
	file_close(dir);
	return as;
}

/*
 * Whether a new file has room: each directory above it is there, is absent, or
 * is something else that is removed. If a directory is in its own place, that
 * is removed, too. Else obstacle is the path of what is in the way (to be
 * freed).
 */
static bool has_room(const struct change *c, struct swap_file *f,
		     char **obstacle)
{
	const char *end = f->path;
	bool room = true, is_dir = true;
	struct stat st;

	while (room && is_dir && *end) {
		char *path;

		end += strcspn(end + 1, "/") + 1;
		path = mem_strndup(f->path, (size_t)(end - f->path));
		is_dir = fstatat(c->h->swap.worktree, path, &st,
				 AT_SYMLINK_NOFOLLOW) == 0;
		if (is_dir && st.st_dev != c->dev)
			room = false;
		else if (is_dir && S_ISDIR(st.st_mode))
			room = !is_in_diff(c->diff, path) ||
			       holds_no_other(c, path);
		else if (is_dir)
			room = is_in_diff(c->diff, path);
		is_dir = is_dir && S_ISDIR(st.st_mode);
		if (is_dir && *end)
			f->there = (size_t)(end - f->path);
		if (!room)
			*obstacle = path;
		else
			free(path);
	}
	return room;
}

/* Whether the sparse patterns leave the file out, and nothing is there. */
static bool is_left_out(struct change *c, const git_diff_file *f)
{
	git_index_entry e = {.path = f->path, .mode = f->mode};
	git_diff_file none = {.path = f->path};
	struct stat seen;

	return !sparse_has(&c->sparse, &e) && is_as(c, &none, true, &seen);
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
static int check_filter(const struct change *c, const char *path,
			struct err *err)
{
	char *filter = work_filter(c->h->git, path);
	int rc = 0;

	if (filter) {
		err_set(err, ERR_REFUSED,
			"%s has the filter %s, which afw does not run", path,
			filter);
		rc = err_hint(err, "git merge, in %s", c->h->path);
	}
	free(filter);
	return rc;
}

static int check(struct change *c, const git_diff_delta *d, struct err *err)
{
	git_diff_file old = d->old_file, new = d->new_file;
	bool both, in_old, in_new, submodule, left_out;
	struct swap_file *f;
	char *obstacle = NULL;

	if (d->status == GIT_DELTA_ADDED)
		old.mode = GIT_FILEMODE_UNREADABLE;
	if (d->status == GIT_DELTA_DELETED)
		new.mode = GIT_FILEMODE_UNREADABLE;
	submodule = new.mode == GIT_FILEMODE_COMMIT;
	both = submodule && old.mode == GIT_FILEMODE_COMMIT;
	left_out = is_left_out(c, &new);
	if (!submodule && !left_out && check_filter(c, new.path, err) < 0)
		return -1;
	f = swap_add(&c->h->swap, new.path, new.mode, &new.id);
	in_old = is_in_index(c, &old);
	in_new = is_in_index(c, &new);
	if (!in_old && !in_new) {
		strv_add(&c->dirty, new.path);
	} else if (left_out) {
		f->skip = f->left_out = true;
	} else if ((!submodule || both) &&
		   is_as(c, &new, !new.mode || both, &f->seen)) {
		f->skip = true;
		f->made = f->seen;
	} else if (!in_old || !is_as(c, &old, true, &f->seen)) {
		strv_add(&c->dirty, new.path);
	} else if (new.mode && !has_room(c, f, &obstacle)) {
		strv_add(&c->dirty, obstacle);
		free(obstacle);
	}
	return 0;
}

static int check_all(struct change *c, struct err *err)
{
	struct holder *h = c->h;
	struct stat st;

	if (fstat(h->swap.worktree, &st) < 0)
		return err_errno(err, "open %s", h->path);
	c->dev = st.st_dev;
	for (size_t i = 0; i < git_diff_num_deltas(c->diff); i++)
		if (check(c, git_diff_get_delta(c->diff, i), err) < 0)
			return -1;
	strv_sort(&c->dirty);
	for (size_t i = 1; i < c->dirty.n;)
		if (strcmp(c->dirty.v[i - 1], c->dirty.v[i]) == 0)
			strv_drop(&c->dirty, c->dirty.v[i]);
		else
			i++;
	return 0;
}

/* -- the change --------------------------------------------------------------
 */

/* As the new tree has it: without stat data so far. */
static int fill_index(struct change *c, struct err *err)
{
	const struct swap *s = &c->h->swap;
	int rc = 0;

	for (size_t i = 0; i < s->n; i++)
		if (!s->v[i].mode)
			git_index_remove(c->index, s->v[i].path, 0);
	for (size_t i = 0; rc == 0 && i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		git_index_entry e = {
		    .path = f->path, .mode = f->mode, .id = f->id};

		index_entry_skip(&e, f->left_out);
		if (f->mode && git_index_add(c->index, &e) < 0)
			rc = repo_err(err, ERR_FAILED, "add %s to the index",
				      f->path);
	}
	return rc;
}

/* Fills in the stat data of the files that are in place now. */
static void fill_stats(struct change *c)
{
	const struct swap *s = &c->h->swap;

	for (size_t i = 0; i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		/* Entries are patched in place: see index_entry.h. */
		git_index_entry *e = (git_index_entry *)git_index_get_bypath(
		    c->index, f->path, 0);

		if (e && f->mode && f->mode != GIT_FILEMODE_COMMIT)
			index_entry_stat(e, &f->made);
	}
}

static int change(struct change *c, const struct merge *m, struct err *err)
{
	struct holder *h = c->h;
	mode_t shared;
	int rc;

	if (fill_index(c, err) < 0)
		return -1;
	/* There the new attributes are read from. */
	if (git_index_write(c->index) < 0)
		return repo_err(err, ERR_FAILED, "write %s", h->new.lock);
	shared = umask(m->umask);
	rc = swap_make(&h->swap, h->git, h->new.lock, m->out, err);
	if (rc == 0)
		rc = swap_run(&h->swap, err);
	umask(shared);
	if (rc < 0)
		return -1;
	fill_stats(c);
	if (index_lock_end(&h->new, c->index, err) < 0) {
		swap_undo(&h->swap, err);
		return -1;
	}
	h->has_index = true;
	return 0;
}

void holder_undo(struct holder *h, struct err *err)
{
	if (!h->has_index)
		return;
	swap_undo(&h->swap, err);
	if (index_lock_revert(&h->lock, NULL) < 0)
		err_hint(err,
			 "the index could not be put back: git reset, "
			 "in %s",
			 h->path);
}

static int compare(struct change *c, const struct merge *m, struct err *err)
{
	git_diff_options opt;
	git_tree *old = repo_tree(c->h->git, &m->old, err), *new = NULL;
	int rc = old ? 0 : -1;

	git_diff_options_init(&opt, GIT_DIFF_OPTIONS_VERSION);
	opt.flags = GIT_DIFF_INCLUDE_TYPECHANGE;
	if (rc == 0 && (git_tree_lookup(&new, c->h->git, &m->tree) < 0 ||
			git_diff_tree_to_tree(&c->diff, c->h->git, old, new,
					      &opt) < 0))
		rc = repo_err(err, ERR_FAILED, "compare %s and its new state",
			      c->h->path);
	git_tree_free(old);
	git_tree_free(new);
	return rc;
}

static void change_finish(struct change *c)
{
	git_diff_free(c->diff);
	git_index_free(c->index);
	sparse_finish(&c->sparse);
	strv_finish(&c->dirty);
}

/* Locks the index, and makes a copy that is to be the new one. */
static int lock(struct holder *h, struct err *err)
{
	char *copy;
	int rc;

	if (index_lock_take(&h->lock, h->index, NULL, NULL, err) < 0 ||
	    swap_open(&h->swap, h->git, h->path, err) < 0)
		return -1;
	copy = file_join(h->swap.path, "index/index");
	rc = index_lock_take(&h->new, h->index, copy, NULL, err);
	free(copy);
	return rc;
}

void holder_done(struct holder *h)
{
	swap_prune(&h->swap);
}

static int update(struct change *c, const struct merge *m, struct err *err)
{
	struct holder *h = c->h;

	c->modes = repo_config_bool(h->git, "core.filemode", true);
	h->swap.worktree = open(h->path, FILE_DIR_FLAGS & ~O_NOFOLLOW);
	if (h->swap.worktree < 0)
		return err_errno(err, "open %s", h->path);
	if (sparse_load(&c->sparse, h->git, err) < 0 ||
	    compare(c, m, err) < 0 || (!m->dry_run && lock(h, err) < 0) ||
	    index_lock_open(m->dry_run ? h->index : h->new.lock, h->git,
			    &c->index, err) < 0 ||
	    check_all(c, err) < 0)
		return -1;
	return c->dirty.n || m->dry_run ? 0 : change(c, m, err);
}

int holder_update(struct holder *h, struct merge *m, struct err *err)
{
	struct change c = {.h = h};
	int rc = update(&c, m, err);

	json_set_str(m->answer, "worktree", h->path);
	if (rc == 0 && c.dirty.n)
		merge_refuse(m, "modified", &c.dirty);
	change_finish(&c);
	return rc;
}
