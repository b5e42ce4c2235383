/*
 * delete_tree.c - removes a directory and its contents, following no link.
 *
 * Every step is relative to an open directory and O_NOFOLLOW. A directory
 * deeper than MAX_DEPTH is first renamed up into the root of the deletion, so
 * that any depth works with a bounded stack and few descriptors. Other
 * processes may delete in it, too (two purges of the trash), or write: a
 * missing name is done, a directory that is not empty gets another round.
 */
#include "base/delete_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define MAX_DEPTH 64
#define MAX_BUSY  100 /* times that another process interfered */

struct deletion {
	int root;
	dev_t dev;
	unsigned moved; /* directories renamed up into root so far */
	unsigned busy;	/* directories that were not empty after all */
	bool again;	/* some are there now */
};

static int open_dir(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, FILE_DIR_FLAGS), at;
	char proc[64];

	if (fd >= 0 || errno != EACCES)
		return fd;
	at = openat(dirfd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (at < 0)
		return -1;
	snprintf(proc, sizeof proc, "/proc/self/fd/%d", at);
	if (chmod(proc, 0700) == 0)
		fd = openat(dirfd, name, FILE_DIR_FLAGS);
	close(at);
	return fd;
}

static int empty_dir(struct deletion *d, int fd, int depth);

/* After a failure: returns 0 if another process caused it, and it is done or
 * left to a later round. */
static int allow_failure(struct deletion *d)
{
	if (errno == ENOENT)
		return 0;
	if ((errno != ENOTEMPTY && errno != EEXIST) || d->busy++ >= MAX_BUSY)
		return -1;
	d->again = true;
	return 0;
}

/* Removes it also from a directory without write permission. */
static int force_unlink(int fd, const char *name, int flags)
{
	if (unlinkat(fd, name, flags) == 0)
		return 0;
	return errno == EACCES && fchmod(fd, 0700) == 0
		   ? unlinkat(fd, name, flags)
		   : -1;
}

/* Removes one name in the directory fd. */
static int remove_name(struct deletion *d, int fd, const char *name, int depth)
{
	char up[40];
	int sub, r;

	if (force_unlink(fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR && errno != EPERM)
		return -1;
	if (depth >= MAX_DEPTH) {
		do
			snprintf(up, sizeof up, ".afw-deep-%u", d->moved++);
		while (faccessat(d->root, up, F_OK, AT_SYMLINK_NOFOLLOW) == 0);
		d->again = true;
		return renameat(fd, name, d->root, up) == 0 ? 0
							    : allow_failure(d);
	}
	sub = open_dir(fd, name);
	if (sub < 0)
		return errno == ENOENT ? 0 : -1;
	r = empty_dir(d, sub, depth + 1);
	if (r < 0)
		return -1;
	return force_unlink(fd, name, AT_REMOVEDIR) == 0 ? 0 : allow_failure(d);
}

/* Closes fd. */
static int empty_dir(struct deletion *d, int fd, int depth)
{
	struct dirent *e;
	struct stat st;
	int saved;
	DIR *dir;

	if (fstat(fd, &st) < 0 || st.st_dev != d->dev) {
		close(fd);
		errno = EXDEV;
		return -1;
	}
	dir = fdopendir(fd);
	if (!dir) {
		close(fd);
		return -1;
	}
	while ((errno = 0, e = readdir(dir))) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (remove_name(d, fd, e->d_name, depth) < 0)
			break;
	}
	saved = errno;
	closedir(dir);
	errno = saved;
	/* A directory that another process removed reads as ENOENT. */
	return e || (saved && saved != ENOENT) ? -1 : 0;
}

int delete_tree(int dirfd, const char *name, struct err *err)
{
	struct deletion d = {0};
	struct stat st;
	bool gone;
	int r;

	d.root = open_dir(dirfd, name);
	if (d.root < 0 && errno == ENOENT)
		return 0;
	if (d.root < 0 || fstat(d.root, &st) < 0)
		goto fail;
	d.dev = st.st_dev;
	do {
		d.again = false;
		r = empty_dir(&d, fcntl(d.root, F_DUPFD_CLOEXEC, 3), 0);
		/* dup shares the offset: from the start in the next round */
		lseek(d.root, 0, SEEK_SET);
		gone = r == 0 && !d.again &&
		       (unlinkat(dirfd, name, AT_REMOVEDIR) == 0 ||
			(allow_failure(&d) == 0 && !d.again));
	} while (r == 0 && d.again);
	file_close(d.root);
	if (gone)
		return 0;
fail:
	if (errno == EXDEV)
		return err_set(err, ERR_FAILED,
			       "delete %s: something is mounted in it", name);
	return err_errno(err, "delete %s", name);
}
