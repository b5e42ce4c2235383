/*
 * file.h - files and directories, the careful way. Nothing here follows a
 * symlink in the last component. All paths are the caller's to keep.
 */
#ifndef AFW_BASE_FILE_H
#define AFW_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Reads a whole regular file into out (appended). dirfd may be AT_FDCWD.
 * Fails with errno ENOENT, EFBIG over max bytes, EINVAL where it is not a
 * regular file.
 */
int file_read(int dirfd, const char *name, size_t max, struct buf *out,
	      struct err *err);

/*
 * Replaces name in dirfd in one step: temporary file (O_EXCL, 0600), write,
 * rename. durable: fsync of the file before and of the directory after.
 * On failure the old file stands and no temporary file is left.
 */
int file_replace(int dirfd, const char *name, const void *data, size_t len,
		 bool durable, struct err *err);

/* Removes what a file_replace() that was killed left in dirfd. Only for who
 * is the directory's one writer. */
void file_sweep(int dirfd);

/* write(2) until all is out; -1 with errno. Blocks. */
int file_write_all(int fd, const void *data, size_t len);

/* A file without a name that holds data, open at its beginning, for a child's
 * standard input; -1 with errno. */
int file_in_memory(const void *data, size_t len);

/*
 * Makes the directory (and its parents, 0700 each) and checks that
 * it is a directory (no link to one), ours, and closed to others; where it is
 * ours but open, it is closed.
 */
int file_private_dir(const char *path, struct err *err);

/* "a/b" from "a" and "b"; to be freed. */
char *file_join(const char *dir, const char *name);

/* The directory in which this program's file lies; to be freed. */
char *file_program_dir(void);

int file_set_nonblock(int fd);
int file_set_cloexec(int fd, bool on);

#endif
