/*
 * swap.c - replaces old files by new ones, all or none.
 *
 * The new files are made beside the worktree. A file that is deleted is moved
 * aside; one that is replaced first gets a second name there (or, on a file
 * system without hard links, is moved aside as well). Directories are removed
 * last. So each step is one call that can be undone by one call.
 */
#include "worktrees/changes/swap.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "worktrees/git/checkout.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/repo.h"

struct swap_file *swap_add(struct swap *s, const char *path, unsigned mode,
			   const git_oid *id)
{
	s->v = mem_grow(s->v, s->n, sizeof *s->v);
	s->v[s->n] = (struct swap_file){
	    .path = mem_strdup(path), .mode = mode, .id = *id};
	return &s->v[s->n++];
}

/* False for a submodule: its empty directory is made at the end. */
static bool has_file(const struct swap_file *f)
{
	return f->mode && f->mode != GIT_FILEMODE_COMMIT;
}

/* -- beside the worktree -----------------------------------------------------
 */

int swap_open(struct swap *s, git_repository *git, const char *worktree,
	      struct err *err)
{
	static const char *const parts[] = {"new", "old", "dirs", "index"};
	struct stat here, there;

	s->path = mem_printf("%s" SWAP_DIR, git_repository_path(git));
	if (delete_tree(AT_FDCWD, s->path, err) < 0)
		return -1;
	if (mkdir(s->path, 0700) < 0)
		return err_errno(err, "make directory %s", s->path);
	s->dir = open(s->path, FILE_DIR_FLAGS);
	if (s->dir < 0 || fstat(s->dir, &here) < 0 ||
	    fstat(s->worktree, &there) < 0)
		return err_errno(err, "open %s", s->path);
	if (here.st_dev != there.st_dev)
		return err_set(err, ERR_REFUSED,
			       "%s and git's directory for it are on two disks",
			       worktree);
	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
		if (mkdirat(s->dir, parts[i], 0700) < 0)
			return err_errno(err, "make directory %s/%s", s->path,
					 parts[i]);
	return 0;
}

/* Lists only the new files. */
static git_index *list_new(const struct swap *s, struct err *err)
{
	_git_index_ git_index *index = NULL;
	int rc = git_index_new(&index);

	for (size_t i = 0; rc == 0 && i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		git_index_entry e = {
		    .path = f->path, .mode = f->mode, .id = f->id};

		if (!f->skip && has_file(f))
			rc = git_index_add(index, &e);
	}
	if (rc == 0)
		return TAKE_PTR(index);
	repo_err(err, ERR_FAILED, "list the new files");
	return NULL;
}

static int check_filters(const struct checkout *co, const char *worktree,
			 struct err *err)
{
	if (!*co->filter)
		return 0;
	err_set(err, ERR_REFUSED,
		"a new file has the filter %s, which afw does not run: the "
		"repository's .git/config names it",
		co->filter);
	return err_hint(err, "merge with git itself, in %s", worktree);
}

int swap_make(struct swap *s, git_repository *git, const char *index, bool raw,
	      struct output *out, struct err *err)
{
	_free_ char *path = file_join(s->path, "new");
	_close_ int dir = open(path, FILE_DIR_FLAGS);
	_git_index_ git_index *new = list_new(s, err);
	struct checkout co = {
	    .admin = git_repository_path(git),
	    .path = path,
	    .dir = dir,
	    .index = new,
	    .index_file = index,
	    .source = -1,
	    .raw = raw,
	    .attributes = index != NULL,
	    .symlinks = raw || repo_config_bool(git, "core.symlinks", true),
	    .out = out};

	if (dir < 0)
		return err_errno(err, "open %s", path);
	if (!new || checkout_run(&co, err) < 0)
		return -1;
	s->pointers = co.lfs;
	return check_filters(&co, git_repository_workdir(git), err);
}

void swap_finish(struct swap *s)
{
	if (s->path && !s->kept)
		delete_tree(AT_FDCWD, s->path, NULL);
	file_close(s->dir);
	file_close(s->worktree);
	for (size_t i = 0; i < s->n; i++)
		free(s->v[i].path);
	free(s->v);
	free(s->path);
	free(s->kept);
	*s = (struct swap){.dir = -1, .worktree = -1};
}

/* -- one file ----------------------------------------------------------------
 */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_ino == b->st_ino && a->st_mode == b->st_mode &&
	       a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* True if the file name is unchanged since it was checked, or still absent. */
static bool is_still(int at, const char *name, const struct stat *seen)
{
	struct stat st;

	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT && seen->st_ino == 0;
	return S_ISDIR(st.st_mode) ? seen->st_ino == 0 : is_same(&st, seen);
}

/* Puts a file in the place of another, if that is still the file in `seen`.
 * They are exchanged: if another file was there, it is put back, with
 * ESTALE. */
static int put_for(int from, const char *last, int at, const char *name,
		   const struct stat *seen)
{
	if (renameat2(from, last, at, name, RENAME_EXCHANGE) < 0)
		return errno == EINVAL || errno == ENOSYS
			   ? renameat(from, last, at, name)
			   : -1;
	if (is_still(from, last, seen))
		return 0;
	if (renameat2(from, last, at, name, RENAME_EXCHANGE) == 0)
		errno = ESTALE;
	return -1;
}

static int keep_old(const struct swap *s, struct swap_file *f, int at,
		    const char *name)
{
	const char *last;
	_close_ int old = file_open_parent(s->dir, "old", f->path, 0700, &last);

	if (old >= 0 && has_file(f) && linkat(at, name, old, last, 0) == 0)
		f->kept = KEPT_LINK;
	else if (old >= 0 && renameat(at, name, old, last) == 0)
		f->kept = KEPT_MOVED;
	return f->kept ? 0 : -1;
}

static void dir_name(const struct swap *s, const struct swap_file *f,
		     char name[static 32])
{
	snprintf(name, 32, "dirs/%zu", (size_t)(f - s->v));
}

/* Gives the file the directory's group, as if it were made there. A user
 * outside the group may not, and the file stays. */
static void take_group(int from, const char *name, int dir)
{
	struct stat st;

	if (fstat(dir, &st) == 0 && (st.st_mode & S_ISGID) &&
	    fchownat(from, name, (uid_t)-1, st.st_gid, AT_SYMLINK_NOFOLLOW) < 0)
		return;
}

/* Puts a new file in place. A directory there has no files any more. */
static int place_new(const struct swap *s, struct swap_file *f, int at,
		     const char *name)
{
	const char *last;
	_close_ int from = file_open_parent(s->dir, "new", f->path, 0, &last);
	char dir[32];
	struct stat st;

	dir_name(s, f, dir);
	if (from < 0)
		return -1;
	if (fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISDIR(st.st_mode)) {
		if (renameat(at, name, s->dir, dir) < 0)
			return -1;
		f->moved_dir = true;
	}
	take_group(from, last, at);
	if (fstatat(from, last, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    (f->kept == KEPT_LINK ? put_for(from, last, at, name, &f->seen)
				  : file_rename_new(from, last, at, name)) < 0)
		return -1;
	/* With the new ctime of the rename, unless it was changed since. */
	if (fstatat(at, name, &f->made, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !is_same(&f->made, &st))
		f->made = st;
	return 0;
}

static int changed(const struct swap_file *f, struct err *err)
{
	return err_set(err, ERR_CONFLICT, "%s was changed meanwhile", f->path);
}

static int place(const struct swap *s, struct swap_file *f, struct err *err)
{
	const char *name;
	_close_ int at = file_open_parent(s->worktree, ".", f->path,
					  f->mode ? 0777 : 0, &name);

	if (at < 0)
		return err_errno(err, "open the directory of %s", f->path);
	if (!is_still(at, name, &f->seen))
		return changed(f, err);
	if (f->seen.st_ino && keep_old(s, f, at, name) < 0)
		return err_errno(err, "move %s out of the way", f->path);
	if (has_file(f) && place_new(s, f, at, name) < 0)
		return errno == ESTALE ? changed(f, err)
				       : err_errno(err, "write %s", f->path);
	return 0;
}

/* Takes a new file out of the worktree, to where it was made, unless it is
 * another one by now. It is checked afterwards: one that came there in between
 * is put back. */
static int take_out(const struct swap *s, const struct swap_file *f, int at,
		    const char *name)
{
	const char *last;
	_close_ int to = file_open_parent(s->dir, "new", f->path, 0, &last);

	if (to < 0 || file_rename_new(at, name, to, last) < 0)
		return -1;
	if (is_still(to, last, &f->made))
		return 0;
	file_rename_new(to, last, at, name);
	return -1;
}

/* Restores the old file, unless a program has written to the new one. */
static int put_back(const struct swap *s, const struct swap_file *f, int at,
		    const char *name)
{
	bool made = f->made.st_ino != 0;
	const char *last;
	_close_ int old = file_open_parent(s->dir, "old", f->path, 0, &last);
	char dir[32];
	int rc = 0;

	if (made && !is_still(at, name, &f->made))
		return -1;
	if (f->kept && made)
		rc = put_for(old, last, at, name, &f->made);
	else if (f->kept == KEPT_MOVED)
		rc = file_rename_new(old, last, at, name);
	else if (made)
		rc = take_out(s, f, at, name);
	dir_name(s, f, dir);
	return rc == 0 && f->moved_dir ? file_rename_new(s->dir, dir, at, name)
				       : rc;
}

void swap_remove_dirs(const struct swap *s, const char *path, size_t there)
{
	_free_ char *dir = mem_strdup(path);
	char *slash = dir;
	bool gone = true;

	while (gone && slash && strlen(dir) > there) {
		const char *last;
		_close_ int at =
		    file_open_parent(s->worktree, ".", dir, 0, &last);

		gone = (at >= 0 && unlinkat(at, last, AT_REMOVEDIR) == 0) ||
		       errno == ENOENT;
		slash = strrchr(dir, '/');
		if (slash)
			*slash = '\0';
	}
}

/* -- all ---------------------------------------------------------------------
 */

/* True if a program has written to an open file, or into a directory, since. */
static bool was_changed(const struct swap *s, const struct swap_file *f)
{
	_close_ int old = -1;
	const char *last;
	char dir[32];

	dir_name(s, f, dir);
	if (f->moved_dir && !swap_has_only(s->dir, dir, "", NULL, NULL))
		return true;
	if (!f->kept)
		return false;
	old = file_open_parent(s->dir, "old", f->path, 0, &last);
	return old < 0 || !is_still(old, last, &f->seen);
}

int swap_run(struct swap *s, struct err *err)
{
	int rc = 0;

	/* Deleted first: a directory may take the place of a file. */
	for (size_t i = 0; rc == 0 && i < s->n; i++)
		if (!s->v[i].skip && !s->v[i].mode)
			rc = place(s, &s->v[i], err);
	for (size_t i = 0; rc == 0 && i < s->n; i++)
		if (!s->v[i].skip && s->v[i].mode)
			rc = place(s, &s->v[i], err);
	for (size_t i = 0; rc == 0 && i < s->n; i++)
		if (was_changed(s, &s->v[i]))
			rc = changed(&s->v[i], err);
	if (rc < 0)
		swap_undo(s, err);
	return rc;
}

/* Undoes the new files, or the deletions; the last one first. */
static void undo(struct swap *s, bool new, const char **stuck)
{
	for (size_t i = s->n; i-- > 0;) {
		struct swap_file *f = &s->v[i];
		_close_ int at = -1;
		const char *name;

		if (f->skip || new != (f->mode != 0) ||
		    (!f->kept && !f->made.st_ino && !f->moved_dir))
			continue;
		at = file_open_parent(s->worktree, ".", f->path, 0777, &name);
		if (at < 0 || put_back(s, f, at, name) < 0)
			*stuck = f->path;
	}
}

void swap_undo(struct swap *s, struct err *err)
{
	const char *stuck = NULL;

	undo(s, true, &stuck);
	for (size_t i = 0; i < s->n; i++)
		if (s->v[i].mode && !s->v[i].skip && !s->v[i].moved_dir)
			swap_remove_dirs(s, s->v[i].path, s->v[i].there);
	undo(s, false, &stuck);
	if (!stuck)
		return;
	/* Renames it, so that no later run deletes it. */
	s->kept = mem_printf("%s-%lld", s->path, (long long)time(NULL));
	rename(s->path, s->kept);
	err_hint(err, "%s could not be restored: its old contents are in %s",
		 stuck, s->kept);
}

void swap_prune(const struct swap *s)
{
	for (size_t i = s->n; i-- > 0;)
		if (!s->v[i].mode)
			swap_remove_dirs(s, s->v[i].path, 0);
	for (size_t i = 0; i < s->n; i++) {
		const struct swap_file *f = &s->v[i];
		_close_ int at = -1;
		const char *last;

		if (f->skip || f->mode != GIT_FILEMODE_COMMIT)
			continue;
		at = file_open_parent(s->worktree, ".", f->path, 0777, &last);
		if (at >= 0)
			mkdirat(at, last, 0777);
	}
}
