/*
 * scan.c - reads the files of a worktree, byte for byte, into a tree.
 *
 * A file whose stat data is that of the last scan is not read again: SCAN_FILE,
 * in git's format of an index, has the ids of what was read then. Ignored files
 * are left out, unless git's index has them.
 */
#include "worktrees/checkpoint/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "worktrees/git/cleanup.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/limits.h"

#define DEPTH_MAX    200
#define REMEMBER_MIN 100 /* files: fewer are read again instead */

struct walk {
	struct scan *s;
	git_index *before; /* of the last scan */
	struct timespec written;
	struct buf path; /* of the directory, with a '/' at the end */
	struct buf text; /* of a file */
	struct err *err;
};

/* -- one file --------------------------------------------------------------
 */

unsigned scan_mode(const struct stat *st)
{
	return S_ISLNK(st->st_mode)    ? GIT_FILEMODE_LINK
	       : !S_ISREG(st->st_mode) ? GIT_FILEMODE_UNREADABLE
	       : st->st_mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE
				       : GIT_FILEMODE_BLOB;
}

static bool may_not(void)
{
	return errno == EACCES || errno == EPERM || errno == ENOENT ||
	       errno == ELOOP || errno == ENXIO;
}

static int read_link(int dir, const char *name, struct buf *text)
{
	ssize_t n = readlinkat(dir, name, buf_room(text, PATH_MAX), PATH_MAX);

	if (n < 0)
		return -1;
	text->len += (size_t)n;
	text->data[text->len] = '\0';
	return 0;
}

static int read_file(int dir, const char *name, int64_t max, struct buf *text,
		     struct stat *st)
{
	_close_ int fd =
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, st) < 0)
		return -1;
	if (!S_ISREG(st->st_mode)) {
		errno = EFBIG;
		return -1;
	}
	return file_read_fd(fd, (size_t)max, text);
}

int scan_read(int dir, const char *name, int64_t max, struct buf *text,
	      struct stat *st, struct err *err)
{
	buf_clear(text);
	buf_adds(text, "");
	if (fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 1 : err_errno(err, "read %s", name);
	errno = EFBIG;
	if (!scan_mode(st) || st->st_size > max)
		return 1;
	if ((S_ISLNK(st->st_mode) ? read_link(dir, name, text)
				  : read_file(dir, name, max, text, st)) == 0)
		return 0;
	return may_not() || errno == EFBIG || errno == EINVAL
		   ? 1
		   : err_errno(err, "read %s", name);
}

/* Returns 0, 1 if it must be left out, -1. */
static int set_id(struct walk *k, git_index_entry *e, int dir, const char *name)
{
	const git_index_entry *known =
	    git_index_get_bypath(k->before, e->path, 0);
	struct stat st;
	int rc;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0 && known &&
	    known->mode == scan_mode(&st) && st.st_size <= k->s->file_max &&
	    index_entry_same(known, &k->written, &st) &&
	    git_odb_exists_ext(k->s->odb, &known->id,
			       GIT_ODB_LOOKUP_NO_REFRESH)) {
		e->id = known->id;
	} else {
		rc =
		    scan_read(dir, name, k->s->file_max, &k->text, &st, k->err);
		if (rc != 0)
			return rc;
		k->s->n_read++;
		if (git_odb_write(&e->id, k->s->odb, k->text.data, k->text.len,
				  GIT_OBJECT_BLOB) < 0)
			return repo_err(k->err, ERR_FAILED, "store %s",
					e->path);
	}
	e->mode = scan_mode(&st);
	index_entry_stat(e, &st);
	return 0;
}

static bool is_known(const struct walk *k, const char *path)
{
	return git_index_get_bypath(k->s->tracked, path, 0) ||
	       git_index_get_bypath(k->s->tracked, path, 1) ||
	       git_index_get_bypath(k->s->tracked, path, 2) ||
	       git_index_get_bypath(k->s->tracked, path, 3) ||
	       (k->s->also && git_index_get_bypath(k->s->also, path, 0));
}

static bool is_ignored(const struct walk *k, const char *path)
{
	int ignored = 0;

	return git_ignore_path_is_ignored(&ignored, k->s->w->git, path) == 0 &&
	       ignored;
}

static int add_file(struct walk *k, int dir, const char *name, bool ignored)
{
	_free_ char *path =
	    mem_printf("%s%s", k->path.len ? k->path.data : "", name);
	git_index_entry e = {.path = path};
	int rc;

	if (!is_known(k, path) && (ignored || is_ignored(k, path)))
		return 0;
	rc = set_id(k, &e, dir, name);
	if (rc == 1 && errno == ENOENT)
		return 0; /* it is gone */
	/* git's library does not accept every name. */
	if (rc == 0 && git_index_add(k->s->files, &e) < 0)
		rc = 1;
	if (rc == 1)
		strv_add(&k->s->left_out, path);
	return rc < 0 ? -1 : 0;
}

/* -- directories -----------------------------------------------------------
 */

/* A name of a directory, and its place in the order of a tree. */
struct name {
	char *text; /* with a '/' at the end for a directory */
	mode_t mode;
};

static int compare(const void *a, const void *b)
{
	return strcmp(((const struct name *)a)->text,
		      ((const struct name *)b)->text);
}

struct names {
	struct name *v;
	size_t n;
	bool nested; /* it has a .git */
};

static void names_finish(struct names *n)
{
	for (size_t i = 0; i < n->n; i++)
		free(n->v[i].text);
	free(n->v);
}

static int list_names(struct walk *k, DIR *d, struct names *out)
{
	const char *name;
	struct stat st;

	while ((name = file_list_next(d))) {
		if (strcmp(name, ".git") == 0) {
			out->nested = k->path.len > 0;
			continue;
		}
		if (fstatat(dirfd(d), name, &st, AT_SYMLINK_NOFOLLOW) < 0)
			continue; /* it is gone */
		out->v = mem_grow(out->v, out->n, sizeof *out->v);
		out->v[out->n++] = (struct name){
		    mem_printf("%s%s", name, S_ISDIR(st.st_mode) ? "/" : ""),
		    st.st_mode};
	}
	if (errno)
		return err_errno(k->err, "list %s",
				 k->path.len ? k->path.data : k->s->w->path);
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, compare);
	return 0;
}

/* True if a file below the directory (k->path) must be read, though that is
 * ignored. */
static bool has_known(const struct walk *k)
{
	size_t at;

	return git_index_find_prefix(&at, k->s->tracked, k->path.data) == 0 ||
	       (k->s->also &&
		git_index_find_prefix(&at, k->s->also, k->path.data) == 0);
}

static int walk(struct walk *k, DIR *d, bool ignored, int depth);

/* The directory name in dir; k->path is its path. */
static int walk_dir(struct walk *k, int dir, const char *name, bool ignored,
		    int depth)
{
	_free_ char *plain = mem_strndup(name, strlen(name) - 1);
	_dir_ DIR *d = NULL;

	ignored = ignored || is_ignored(k, k->path.data);
	if (ignored && !has_known(k))
		return 0;
	d = depth < DEPTH_MAX ? file_list(dir, plain) : NULL;
	if (d)
		return walk(k, d, ignored, depth + 1);
	if (depth < DEPTH_MAX && !may_not() && errno != ENOTDIR)
		return err_errno(k->err, "open directory %s", k->path.data);
	if (depth >= DEPTH_MAX || errno != ENOENT)
		strv_add(&k->s->left_out, k->path.data);
	return 0;
}

static int walk(struct walk *k, DIR *d, bool ignored, int depth)
{
	CLEANUP(names_finish) struct names names = {0};
	size_t len = k->path.len;
	int rc = list_names(k, d, &names);

	if (rc == 0 && names.nested) {
		strv_add(&k->s->left_out, k->path.data);
		return 0;
	}
	if (rc == 0 && names.n == 0 && len && !ignored)
		strv_take(&k->s->empty, mem_strndup(k->path.data, len - 1));
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		const struct name *n = &names.v[i];

		if (S_ISREG(n->mode) || S_ISLNK(n->mode))
			rc = add_file(k, dirfd(d), n->text, ignored);
		if (!S_ISDIR(n->mode))
			continue;
		buf_adds(&k->path, n->text);
		rc = walk_dir(k, dirfd(d), n->text, ignored, depth);
		k->path.len = len;
		k->path.data[len] = '\0';
	}
	return rc;
}

static void walk_finish(struct walk *k)
{
	git_index_free(k->before);
	buf_finish(&k->path);
	buf_finish(&k->text);
}

static int new_index(git_index **out, struct err *err)
{
	return git_index_new(out) < 0 ? repo_err(err, ERR_FAILED, "list files")
				      : 0;
}

int scan_run(struct scan *s, struct err *err)
{
	_free_ char *file = file_join(s->w->admin, SCAN_FILE);
	_close_ int top = open(s->w->path, FILE_DIR_FLAGS);
	CLEANUP(walk_finish) struct walk k = {.s = s, .err = err};
	_dir_ DIR *d = file_list(top, ".");
	struct stat st = {0};

	if (!d)
		return err_errno(err, "open directory %s", s->w->path);
	clock_gettime(CLOCK_REALTIME_COARSE, &s->began); /* as of files */
	/* Its time first: a newer one then only looks racy. */
	if (stat(file, &st) < 0 || git_index_open(&k.before, file) < 0)
		k.before = NULL;
	k.written = st.st_mtim;
	if ((!k.before && new_index(&k.before, err) < 0) ||
	    new_index(&s->files, err) < 0)
		return -1;
	buf_adds(&k.path, "");
	return walk(&k, d, false, 0) < 0 ? -1 : limits_check(err);
}

/* The list of checkpoints is locked. */
void scan_remember(const struct scan *s)
{
	_free_ char *file = file_join(s->w->admin, SCAN_FILE),
		    *lock = mem_printf("%s.lock", file);
	_git_index_ git_index *index = NULL;
	const struct timespec began[] = {s->began, s->began};
	size_t n = git_index_entrycount(s->files);
	int rc;

	if (s->n_read < REMEMBER_MIN)
		return;
	unlink(lock); /* of a killed run */
	rc = git_index_open(&index, file);
	if (rc < 0) {
		unlink(file);
		rc = git_index_open(&index, file);
	}
	if (rc == 0)
		rc = git_index_clear(index);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = git_index_add(index, git_index_get_byindex(s->files, i));
	/* A file that is written after it was read is newer than this. */
	if (rc < 0 || git_index_write(index) < 0 ||
	    utimensat(AT_FDCWD, file, began, 0) < 0)
		unlink(file);
}

void scan_finish(struct scan *s)
{
	git_index_free(s->files);
	git_index_free(s->tracked);
	strv_finish(&s->empty);
	strv_finish(&s->left_out);
}

bool scan_is_left_out(const struct strv *left_out, const char *path)
{
	for (size_t i = 0; i < left_out->n; i++) {
		const char *v = left_out->v[i];
		size_t len = strlen(v);

		if (v[len - 1] == '/' ? strncmp(path, v, len) == 0
				      : strcmp(path, v) == 0)
			return true;
	}
	return false;
}
