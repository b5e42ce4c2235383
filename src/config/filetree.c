/* filetree.c - reads a directory's files whole, and writes them elsewhere. */
#include "config/filetree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"

#define DEPTH_MAX 32

struct reading {
	struct filetree *tree;
	const char *dir;
	size_t names, bytes;
	struct err *err;
};

void filetree_finish(struct filetree *t)
{
	for (size_t i = 0; i < t->n; i++) {
		free(t->v[i].name);
		buf_finish(&t->v[i].text);
	}
	free(t->v);
	*t = (struct filetree){0};
}

static struct filetree_file *add(struct filetree *t, const char *name,
				 bool program)
{
	t->v = mem_grow(t->v, t->n, sizeof *t->v);
	t->v[t->n] = (struct filetree_file){
	    .name = mem_strdup(name),
	    .program = program,
	};
	return &t->v[t->n++];
}

void filetree_add(struct filetree *t, const char *name, const char *text)
{
	buf_adds(&add(t, name, false)->text, text);
}

/* Returns the name of a type that is not allowed; NULL: it is allowed. */
static const char *forbidden_type(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
	case S_IFDIR:
		return NULL;
	case S_IFLNK:
		return "a symbolic link";
	case S_IFIFO:
		return "a FIFO";
	case S_IFSOCK:
		return "a socket";
	default:
		return "a device";
	}
}

static int too_much(const struct reading *r, const char *what)
{
	return err_set(r->err, ERR_LIMIT, "read %s: more than %s", r->dir,
		       what);
}

static int read_file(struct reading *r, int at, const char *base,
		     const char *name, bool program)
{
	struct filetree_file *f = add(r->tree, name, program);
	size_t left = FILETREE_BYTES_MAX - r->bytes;

	if (file_read(at, base, left, &f->text, r->err) < 0)
		return errno == EFBIG
			   ? too_much(r, "16 MiB")
			   : err_errno(r->err, "read %s/%s", r->dir, name);
	r->bytes += f->text.len;
	return 0;
}

static int read_dir(struct reading *r, int at, const char *base,
		    const char *name, const char *except, int depth);

static int read_name(struct reading *r, int at, const char *base,
		     const char *name, int depth)
{
	const char *why;
	struct stat st;

	if (++r->names > FILETREE_NAMES_MAX)
		return too_much(r, "1000 files and directories");
	if (depth > DEPTH_MAX || strlen(name) > FILETREE_NAME_MAX)
		return too_much(r, "32 directories in each other, or 1 KiB in "
				   "a name");
	if (fstatat(at, base, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(r->err, "read %s/%s", r->dir, name);
	why = forbidden_type(st.st_mode);
	if (why)
		return err_set(r->err, ERR_FAILED, "read %s/%s: it is %s",
			       r->dir, name, why);
	return S_ISDIR(st.st_mode)
		   ? read_dir(r, at, base, name, NULL, depth + 1)
		   : read_file(r, at, base, name, st.st_mode & S_IXUSR);
}

static int read_dir(struct reading *r, int at, const char *base,
		    const char *name, const char *except, int depth)
{
	_dir_ DIR *d = file_list(at, base);
	const char *next;
	int rc = 0;

	if (!d)
		return err_errno(r->err, "read %s%s%s", r->dir,
				 name[0] ? "/" : "", name);
	while (rc == 0 && (next = file_list_next(d))) {
		_free_ char *path =
		    mem_printf("%s%s%s", name, name[0] ? "/" : "", next);

		if (!except || strcmp(next, except) != 0)
			rc = read_name(r, dirfd(d), next, path, depth);
	}
	return rc;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct filetree_file *)a)->name,
		      ((const struct filetree_file *)b)->name);
}

int filetree_read(const char *dir, const char *except, struct filetree *out,
		  struct err *err)
{
	struct reading r = {.tree = out, .dir = dir, .err = err};
	struct stat st;

	*out = (struct filetree){0};
	if (lstat(dir, &st) < 0)
		return errno == ENOENT || errno == ENOTDIR
			   ? 0
			   : err_errno(err, "read %s", dir);
	if (S_ISLNK(st.st_mode))
		return err_set(err, ERR_FAILED, "read %s: it is %s", dir,
			       forbidden_type(st.st_mode));
	if (!S_ISDIR(st.st_mode))
		return 0;
	if (read_dir(&r, AT_FDCWD, dir, "", except, 0) < 0) {
		filetree_finish(out);
		return -1;
	}
	if (out->n)
		qsort(out->v, out->n, sizeof *out->v, by_name);
	return 0;
}

const struct filetree_file *filetree_find(const struct filetree *t,
					  const char *name)
{
	struct filetree_file key = {.name = (char *)(size_t)name};

	return t->n ? bsearch(&key, t->v, t->n, sizeof *t->v, by_name) : NULL;
}

void filetree_below(const struct filetree *t, const char *name,
		    struct filetree *out)
{
	size_t len = strlen(name);

	for (size_t i = 0; i < t->n; i++) {
		const struct filetree_file *f = &t->v[i];

		if (strncmp(f->name, name, len) == 0 && f->name[len] == '/')
			buf_add(&add(out, f->name + len + 1, f->program)->text,
				f->text.data, f->text.len);
	}
}

static int write_file(const struct filetree_file *f, const char *dir)
{
	int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
	const char *base;
	_close_ int at = file_open_parent(AT_FDCWD, dir, f->name, 0700, &base);
	_close_ int fd = -1;

	if (at < 0)
		return -1;
	fd = openat(at, base, flags, f->program ? 0700 : 0600);
	if (fd < 0)
		return errno == EEXIST ? 0 : -1;
	return file_write_all(fd, f->text.data, f->text.len);
}

int filetree_write(const struct filetree *t, const char *dir, struct err *err)
{
	if (file_private_dir(dir, err) < 0)
		return -1;
	for (size_t i = 0; i < t->n; i++)
		if (write_file(&t->v[i], dir) < 0)
			return err_errno(err, "write %s/%s", dir, t->v[i].name);
	return 0;
}
