/*
 * merge_check.c - checks the files that a merge changes before the first one is
 * changed: each must be as in the branch's old commit or as in its new one,
 * with nothing else in the way.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/filter.h"
#include "worktrees/merge/merge.h"

static bool is_link_to(int dir, const char *name, const git_diff_file *f)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(dir, name, target, sizeof target);
	git_oid oid;

	return n >= 0 && f->mode == GIT_FILEMODE_LINK &&
	       git_odb_hash(&oid, target, (size_t)n, GIT_OBJECT_BLOB) == 0 &&
	       git_oid_equal(&oid, &f->id);
}

static bool is_file(const struct target *t, const struct stat *st,
		    const git_diff_file *f)
{
	bool runs = f->mode == GIT_FILEMODE_BLOB_EXECUTABLE;
	git_oid oid;

	return f->mode != GIT_FILEMODE_LINK &&
	       (!t->modes || runs == ((st->st_mode & S_IXUSR) != 0)) &&
	       filter_hash(&oid, t->git, f->path) == 0 &&
	       git_oid_equal(&oid, &f->id);
}

/* True if the diff has the path. Each path of the diff has its own check. */
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

static bool holds_no_other(const struct target *t, const char *path)
{
	return swap_has_only(t->swap.worktree, path, path, is_in_diff, t->diff);
}

/*
 * Checks whether the path is as in f; mode 0: nothing is there, or a directory
 * with only files of the diff. Follows no link. Returns absent if nothing is
 * there. Else stores in seen what is there, unless it is a directory.
 */
static bool is_as(const struct target *t, const git_diff_file *f, bool absent,
		  struct stat *seen)
{
	struct stat st = {0};
	const char *name;
	_close_ int dir =
	    file_open_parent(t->swap.worktree, ".", f->path, 0, &name);

	*seen = (struct stat){0};
	if (dir < 0)
		return absent && (errno == ENOENT || errno == ENOTDIR);
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return absent && errno == ENOENT;
	if (S_ISDIR(st.st_mode))
		return f->mode == GIT_FILEMODE_COMMIT ||
		       (!f->mode && holds_no_other(t, f->path));
	*seen = st;
	return S_ISLNK(st.st_mode) ? is_link_to(dir, name, f)
				   : S_ISREG(st.st_mode) && is_file(t, &st, f);
}

/* True if the sparse patterns leave the file out, and nothing is there. */
static bool is_left_out(struct target *t, const git_diff_file *f)
{
	git_index_entry e = {.path = f->path, .mode = f->mode};
	git_diff_file none = {.path = f->path};
	struct stat seen;

	return !sparse_has(&t->sparse, &e) && is_as(t, &none, true, &seen);
}

static bool is_in_index(const struct target *t, const git_diff_file *f)
{
	const git_index_entry *e = git_index_get_bypath(t->index, f->path, 0);

	for (int stage = 1; stage <= 3; stage++)
		if (git_index_get_bypath(t->index, f->path, stage))
			return false;
	if (!e)
		return f->mode == GIT_FILEMODE_UNREADABLE;
	return e->mode == f->mode && git_oid_equal(&e->id, &f->id);
}

static int check_filter(const struct target *t, const char *path,
			struct err *err)
{
	return filter_refuse(t->git, path, err) < 0
		   ? err_hint(err, "merge with git itself, in %s", t->path)
		   : 0;
}

static int check(struct target *t, const git_diff_delta *d, struct err *err)
{
	git_diff_file old = d->old_file, new = d->new_file;
	bool both, in_old, in_new, submodule, left_out;
	char *obstacle;
	struct swap_file *f;

	if (d->status == GIT_DELTA_ADDED)
		old.mode = GIT_FILEMODE_UNREADABLE;
	if (d->status == GIT_DELTA_DELETED)
		new.mode = GIT_FILEMODE_UNREADABLE;
	submodule = new.mode == GIT_FILEMODE_COMMIT;
	both = submodule && old.mode == GIT_FILEMODE_COMMIT;
	left_out = is_left_out(t, &new);
	if (!submodule && !left_out && check_filter(t, new.path, err) < 0)
		return -1;
	f = swap_add(&t->swap, new.path, new.mode, &new.id);
	in_old = is_in_index(t, &old);
	in_new = is_in_index(t, &new);
	if (!in_old && !in_new) {
		strv_add(&t->dirty, new.path);
	} else if (left_out) {
		f->skip = f->left_out = true;
	} else if ((!submodule || both) &&
		   is_as(t, &new, !new.mode || both, &f->seen)) {
		f->skip = true;
		f->made = f->seen;
	} else if (!in_old || !is_as(t, &old, true, &f->seen)) {
		strv_add(&t->dirty, new.path);
	} else if (new.mode && (obstacle = swap_find_obstacle(
				    &t->swap, f, is_in_diff, t->diff))) {
		strv_take(&t->dirty, obstacle);
	}
	return 0;
}

int merge_check(struct target *t, struct err *err)
{
	t->modes = repo_config_bool(t->git, "core.filemode", true);
	for (size_t i = 0; i < git_diff_num_deltas(t->diff); i++)
		if (check(t, git_diff_get_delta(t->diff, i), err) < 0)
			return -1;
	strv_sort(&t->dirty);
	for (size_t i = 1; i < t->dirty.n;)
		if (strcmp(t->dirty.v[i - 1], t->dirty.v[i]) == 0)
			strv_drop(&t->dirty, t->dirty.v[i]);
		else
			i++;
	return 0;
}
