/*
 * made_dir.c - opens a directory that afw made.
 *
 * Device numbers change at each mount (btrfs, NFS): the inode is compared with
 * the recorded one, the device with the parent's.
 */
#include "base/made_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

#define FLAGS (O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

int made_dir_parent(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	char *dir =
	    mem_strndup(path, slash == path ? 1 : (size_t)(slash - path));
	int fd = open(dir, (FLAGS & ~O_PATH) | O_RDONLY), why = errno;

	if (fd < 0 && (why == ELOOP || why == ENOTDIR)) {
		err_set(err, ERR_FAILED,
			"%s is not a directory but a link or a file", dir);
		err_hint(err, "afw made a directory there; put it back");
	} else if (fd < 0) {
		err_errno(err, "open %s", dir);
	}
	free(dir);
	errno = why;
	return fd;
}

static const char *kind(int parent, const char *name)
{
	struct stat st;

	if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return "something else";
	return S_ISLNK(st.st_mode)   ? "a symbolic link"
	       : S_ISDIR(st.st_mode) ? "another directory"
				     : "something else";
}

int made_dir_open(int parent, const char *path, uint64_t ino, struct err *err)
{
	const char *name = parent < 0 ? path : strrchr(path, '/') + 1;
	int fd = openat(parent, name, FLAGS), why = errno;
	struct stat st, up;
	bool seen = fd >= 0 && fstat(fd, &st) == 0 &&
		    fstat(parent < 0 ? fd : parent, &up) == 0;

	if (seen && st.st_dev == up.st_dev &&
	    (ino ? st.st_ino == ino : st.st_uid == geteuid()))
		return fd;
	if (seen && st.st_dev != up.st_dev) {
		close(fd);
		err_set(err, ERR_FAILED, "something is mounted at %s", path);
		err_hint(err, "`umount %s`", path);
		errno = ENOTDIR;
		return -1;
	}
	if (fd < 0 && why != ENOTDIR && why != ELOOP) {
		err_errno(err, "open %s", path);
		errno = why;
		return -1;
	}
	err_set(err, ERR_FAILED, "%s is not the directory that %s there", path,
		parent < 0 ? "was" : "afw made");
	err_hint(err,
		 "%s is in its place; inspect it and move it "
		 "away",
		 kind(parent, name));
	file_close(fd);
	errno = ENOTDIR;
	return -1;
}

int made_dir_enter(int fd)
{
	struct stat st;

	/* The kernel allows a deleted directory, in which nothing can be
	 * made. */
	if (fchdir(fd) < 0 || fstat(fd, &st) < 0)
		return -1;
	errno = ENOENT;
	return st.st_nlink > 0 ? 0 : -1;
}
