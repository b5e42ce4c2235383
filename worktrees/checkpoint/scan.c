/*
 * scan.c - reads the files of a worktree, byte for byte, into a tree.
 *
 * A file whose stat data is that of the last scan is not read again: SCAN_FILE,
 * in git's format of an index, has the ids of what was read then, and of the
 * trees. Only what differs is changed in it, in the order of the walk, so that
 * unchanged directories keep their trees.
 */
#include "worktrees/checkpoint/scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "worktrees/checkpoint/modes.h"
#include "worktrees/checkpoint/wanted.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/limits.h"

#define DEPTH_MAX    200
#define REMEMBER_MIN 100 /* files: fewer are read again instead */

struct walk {
	struct scan *s;
	struct wanted wanted;
	struct timespec written; /* the last scan */
	size_t next;		 /* where the next path may be */
	struct buf path;	 /* of the directory, with a '/' at the end */
	struct buf text;	 /* of a file */
	struct err *err;
};

/* -- one file --------------------------------------------------------------
 */

/* Marks an entry that the walk has found. It is not written to the file. */
#define FOUND GIT_INDEX_ENTRY_UPTODATE

static bool is_same(const struct walk *k, const git_index_entry *known,
		    const struct stat *st)
{
	return known && known->mode == scan_mode(st) &&
	       st->st_size <= k->s->file_max &&
	       index_entry_same(known, &k->written, st) &&
	       git_odb_exists_ext(k->s->odb, &known->id,
				  GIT_ODB_LOOKUP_NO_REFRESH);
}

/* Reads a file that is not as in the last scan. */
static int read_changed(struct walk *k, const char *path, int dir,
			const char *name, struct stat *st)
{
	git_index_entry e = {.path = path, .flags_extended = FOUND};
	int rc = scan_read(dir, name, k->s->file_max, &k->text, st, k->err);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	k->s->n_read++;
	if (git_odb_write(&e.id, k->s->odb, k->text.data, k->text.len,
			  GIT_OBJECT_BLOB) < 0)
		return repo_err(k->err, ERR_FAILED, "store %s", path);
	e.mode = scan_mode(st);
	index_entry_stat(&e, st);
	/* git's library does not accept every name. */
	errno = EINVAL;
	return git_index_add(k->s->files, &e) == 0;
}

/* Returns 1; 0 with errno: it must be left out, or is gone (ENOENT); -1. */
static int set_file(struct walk *k, const char *path, int dir, const char *name)
{
	const git_index_entry *known =
	    index_entry_find(k->s->files, &k->next, path);
	struct stat st;
	int rc = 1;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : err_errno(k->err, "read %s", path);
	if (is_same(k, known, &st))
		((git_index_entry *)known)->flags_extended |= FOUND;
	else
		rc = read_changed(k, path, dir, name, &st);
	if (rc == 1)
		modes_add(&k->s->modes, path, st.st_mode, k->s->umask);
	return rc;
}

/* -- what is left out ------------------------------------------------------
 */

static void leave(struct walk *k, size_t len)
{
	k->path.len = len;
	k->path.data[len] = '\0';
}

static int add_file(struct walk *k, int dir, const char *name, bool ignored)
{
	size_t len = k->path.len;
	int rc;

	buf_adds(&k->path, name);
	rc = wanted_file(&k->wanted, k->path.data, ignored, k->err);
	if (rc == 1)
		rc = set_file(k, k->path.data, dir, name);
	else
		errno = ENOENT;
	if (rc == 0 && errno != ENOENT)
		strv_add(&k->s->left_out, k->path.data);
	leave(k, len);
	return rc < 0 ? -1 : 0;
}

/* -- directories -----------------------------------------------------------
 */

struct names {
	struct strv v; /* in the order of a tree; directories end with '/' */
	bool nested;   /* it has a .git */
	bool others;   /* it has what is neither a file nor a directory */
};

static void names_finish(struct names *n)
{
	strv_finish(&n->v);
}

/* Its type; DT_UNKNOWN: it is gone. */
static unsigned type_of(int dir, const struct dirent *e)
{
	struct stat st;

	return e->d_type != DT_UNKNOWN ? e->d_type
	       : fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0
		   ? DT_UNKNOWN
		   : IFTODT(st.st_mode);
}

static int list_names(struct walk *k, DIR *d, struct names *out)
{
	const struct dirent *e;

	while (errno = 0, (e = readdir(d))) {
		unsigned type = type_of(dirfd(d), e);

		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (strcmp(e->d_name, ".git") == 0)
			out->nested = k->path.len > 0;
		else if (type == DT_DIR)
			strv_addf(&out->v, "%s/", e->d_name);
		else if (type == DT_REG || type == DT_LNK)
			strv_add(&out->v, e->d_name);
		else if (type != DT_UNKNOWN)
			out->others = true;
	}
	if (errno)
		return err_errno(k->err, "list %s",
				 k->path.len ? k->path.data : k->s->w->path);
	strv_sort(&out->v);
	return 0;
}

static int walk(struct walk *k, DIR *d, bool ignored, int depth);

/* The directory name in dir; k->path is its path. */
static int walk_dir(struct walk *k, int dir, const char *name, bool ignored,
		    int depth)
{
	_free_ char *plain = mem_strndup(name, strlen(name) - 1);
	_dir_ DIR *d = NULL;
	struct stat st;
	int rc;

	ignored = ignored || wanted_ignored(&k->wanted, k->path.data);
	if (ignored &&
	    (rc = wanted_known(&k->wanted, k->path.data, k->err)) <= 0)
		return rc;
	if (fstatat(dir, plain, &st, AT_SYMLINK_NOFOLLOW) == 0)
		modes_add(&k->s->modes, k->path.data, st.st_mode, k->s->umask);
	d = depth < DEPTH_MAX ? file_list(dir, plain) : NULL;
	if (d)
		return walk(k, d, ignored, depth + 1);
	if (depth < DEPTH_MAX && !scan_may_not() && errno != ENOTDIR)
		return err_errno(k->err, "open directory %s", k->path.data);
	if (depth >= DEPTH_MAX || errno != ENOENT)
		strv_add(&k->s->left_out, k->path.data);
	return 0;
}

static int walk(struct walk *k, DIR *d, bool ignored, int depth)
{
	CLEANUP(names_finish) struct names names = {0};
	size_t len = k->path.len;
	int rc = k->s->out ? output_check(k->s->out, k->err) : 0;

	if (rc == 0)
		rc = list_names(k, d, &names);
	if (rc == 0 && names.nested) {
		strv_add(&k->s->left_out, k->path.data);
		return 0;
	}
	if (rc == 0 && names.v.n == 0 && !names.others && len && !ignored)
		strv_take(&k->s->empty, mem_strndup(k->path.data, len - 1));
	for (size_t i = 0; rc == 0 && i < names.v.n; i++) {
		const char *name = names.v.v[i];

		if (name[strlen(name) - 1] != '/') {
			rc = add_file(k, dirfd(d), name, ignored);
			continue;
		}
		buf_adds(&k->path, name);
		rc = walk_dir(k, dirfd(d), name, ignored, depth);
		leave(k, len);
	}
	return rc;
}

static void walk_finish(struct walk *k)
{
	buf_finish(&k->path);
	buf_finish(&k->text);
	wanted_finish(&k->wanted);
}

/* Begins with the files of the last scan; file NULL: with none. */
static void open_last(struct walk *k, const char *file)
{
	git_index **files = &k->s->files;
	struct stat st = {0};

	/* Its time first: a newer one then only looks racy. There may be none
	 * yet, which opens as an empty one. */
	if (!file || (stat(file, &st) < 0 && errno != ENOENT) ||
	    git_index_open(files, file) < 0)
		return;
	k->written = st.st_mtim;
	if (git_index_has_conflicts(*files)) {
		git_index_free(*files);
		*files = NULL;
	}
}

/* Removes the files that the walk has not found. */
static void remove_others(git_index *files)
{
	for (size_t i = git_index_entrycount(files); i-- > 0;) {
		const git_index_entry *e = git_index_get_byindex(files, i);

		if (!(e->flags_extended & FOUND))
			git_index_remove(files, e->path, 0);
	}
}

static int start(struct walk *k, const char *last)
{
	struct scan *s = k->s;

	git_index_free(s->files);
	s->files = NULL;
	strv_finish(&s->empty);
	strv_finish(&s->left_out);
	strv_finish(&s->modes);
	buf_adds(&k->path, "");
	open_last(k, last);
	return !s->files && git_index_new(&s->files) < 0
		   ? repo_err(k->err, ERR_FAILED, "list files")
		   : 0;
}

static int finish(struct walk *k, int rc)
{
	strv_sort(&k->s->empty);
	strv_sort(&k->s->left_out);
	strv_sort(&k->s->modes);
	return rc < 0 ? -1 : limits_check(k->err);
}

int scan_run(struct scan *s, struct err *err)
{
	_free_ char *file = file_join(s->w->admin, SCAN_FILE);
	_close_ int top = open(s->w->path, FILE_DIR_FLAGS);
	CLEANUP(walk_finish)
	struct walk k = {.s = s, .wanted.s = s, .err = err};
	_dir_ DIR *d = file_list(top, ".");
	int rc;

	if (!d)
		return err_errno(err, "open directory %s", s->w->path);
	clock_gettime(CLOCK_REALTIME_COARSE, &s->began); /* as of files */
	if (wanted_open(s, err) < 0 || start(&k, file) < 0)
		return -1;
	rc = walk(&k, d, false, 0);
	remove_others(s->files);
	return finish(&k, rc);
}

/* -- some paths ------------------------------------------------------------
 */

/* Sets k->path to the directory of path, with a '/' at the end. Returns how
 * deep it is, and whether it or one above it is ignored. */
static int enter(struct walk *k, const char *path, bool *ignored)
{
	int depth = 0;

	buf_clear(&k->path);
	buf_adds(&k->path, "");
	for (const char *p = path, *slash; (slash = strchr(p, '/'));
	     p = slash + 1, depth++) {
		buf_add(&k->path, p, (size_t)(slash + 1 - p));
		*ignored = *ignored || wanted_ignored(&k->wanted, k->path.data);
	}
	return depth;
}

/* Adds the directory k->path, if it is empty. */
static int add_if_empty(struct walk *k, int dir)
{
	_dir_ DIR *d = file_list(dir, ".");
	const char *name;

	do
		name = d ? file_list_next(d) : NULL;
	while (name && strcmp(name, ".git") == 0);
	if (!name && errno)
		return err_errno(k->err, "list %s", k->path.data);
	k->path.data[--k->path.len] = '\0';
	if (!name && !strv_has(&k->s->empty, k->path.data))
		strv_add(&k->s->empty, k->path.data);
	return 0;
}

static int scan_path(struct walk *k, const char *path)
{
	const char *name;
	_free_ char *dir_name = NULL;
	_close_ int dir =
	    file_open_parent(AT_FDCWD, k->s->w->path, path, 0, &name);
	bool ignored = false;
	int depth = enter(k, path, &ignored);
	struct stat st;

	if (dir < 0 || fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		if (errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
			return err_errno(k->err, "read %s", path);
		return dir < 0 || ignored || !depth ? 0 : add_if_empty(k, dir);
	}
	if (scan_mode(&st))
		return add_file(k, dir, name, ignored);
	if (!S_ISDIR(st.st_mode))
		return 0;
	dir_name = mem_printf("%s/", name);
	buf_adds(&k->path, dir_name);
	return walk_dir(k, dir, dir_name, ignored, depth);
}

int scan_paths(struct scan *s, const struct strv *paths, struct err *err)
{
	CLEANUP(walk_finish)
	struct walk k = {.s = s, .wanted.s = s, .err = err};
	int rc = start(&k, NULL);

	for (size_t i = 0; rc == 0 && i < paths->n; i++)
		rc = scan_path(&k, paths->v[i]);
	return finish(&k, rc);
}

/* -- what was read ---------------------------------------------------------
 */

/* The list of checkpoints is locked. */
void scan_remember(const struct scan *s)
{
	_free_ char *file = file_join(s->w->admin, SCAN_FILE),
		    *lock = mem_printf("%s.lock", file);
	const struct timespec began[] = {s->began, s->began};

	if (s->n_read < REMEMBER_MIN)
		return;
	unlink(lock); /* of a killed run */
	/* A file that is written after it was read is newer than this. */
	if (git_index_write(s->files) < 0 ||
	    utimensat(AT_FDCWD, file, began, 0) < 0)
		unlink(file);
}

void scan_forget(const struct scan *s)
{
	_free_ char *file = file_join(s->w->admin, SCAN_FILE);

	unlink(file);
}

void scan_finish(struct scan *s)
{
	git_index_free(s->files);
	git_index_free(s->tracked);
	free(s->index_file);
	strv_finish(&s->empty);
	strv_finish(&s->left_out);
	strv_finish(&s->modes);
}
