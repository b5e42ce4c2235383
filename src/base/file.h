/*
 * file.h - opens, reads and writes files and directories safely. Nothing here
 * follows a symlink in the last component. All paths stay the caller's.
 */
#ifndef AFW_BASE_FILE_H
#define AFW_BASE_FILE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/*
 * Opens a regular file that belongs to this user. Never blocks on a FIFO in its
 * place, and follows no link. flags as of open(2); a new file is 0600. dirfd
 * may be AT_FDCWD. -1 with errno: that of open(2), EINVAL if it is not a
 * regular file, EPERM if it belongs to another user.
 */
int file_open(int dirfd, const char *name, int flags, struct err *err);

/* The same for a file of any user, to be read. */
int file_open_any(int dirfd, const char *name, struct err *err);

/* True if the errno of a failed read is about the file itself, and not a
 * temporary one (EIO, EMFILE): only then may the file be moved away. */
bool file_is_unusable(int why);

/*
 * Appends a whole regular file, of any user, to out. dirfd may be AT_FDCWD. -1
 * with errno: ENOENT, EFBIG over max bytes, EINVAL if it is not a regular file.
 */
int file_read(int dirfd, const char *name, size_t max, struct buf *out,
	      struct err *err);

/* The same from fd's position to the end; -1 with errno, and nothing
 * appended. */
int file_read_fd(int fd, size_t max, struct buf *out);

/*
 * Replaces name in dirfd (a path: AT_FDCWD) in one step: temporary file beside
 * it (O_EXCL, 0600), write, rename. durable: fsync of the file before and of
 * the directory after. On failure the old file stays and no temporary file is
 * left.
 */
int file_replace(int dirfd, const char *name, const void *data, size_t len,
		 bool durable, struct err *err);

/* Writes a file that the caller then renames, always under this name: so a
 * killed run leaves one at most. Follows no link, and calls fsync. */
int file_write(const char *path, const void *data, size_t len, struct err *err);

/* Removes files that a killed file_replace() left in a directory (name as in
 * file_list()) more than older_ms ago. Only the directory's single writer may
 * pass 0: all of them. */
void file_sweep(int dirfd, const char *name, int64_t older_ms);

/* Renames a directory without replacing anything, except, on some file systems,
 * an empty directory; -1 with errno. */
int file_rename_new(int from, const char *name, int to, const char *new_name);

/* Writes all bytes; -1 with errno. Blocks. */
int file_write_all(int fd, const void *data, size_t len);

/* Returns an open file without a name that contains data, at its start, for a
 * child's standard input; -1 with errno. */
int file_in_memory(const void *data, size_t len);

/* Makes a directory and its parents; existing ones are not checked. -1 with
 * errno, and path cut after the directory that could not be made. */
int file_make_dirs(char *path, mode_t mode);

/*
 * Makes the directory (and its parents, 0700 each) and checks that it is a
 * directory (not a link to one) and belongs to this user; removes the
 * permissions of others.
 */
int file_private_dir(const char *path, struct err *err);

/* The flags of open(2) for a directory that is not a link. */
#define FILE_DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/*
 * file_list() opens a directory to be read (not a link; "." is dirfd itself,
 * from its start): NULL with errno, which the other two accept as well.
 * file_next() returns the next name, except "." and ".."; NULL at the end, with
 * errno 0, or on failure.
 */
DIR *file_list(int dirfd, const char *name);
const char *file_list_next(DIR *d);
void file_list_end(DIR *d);

/*
 * Opens the parent directory of name's last part, below dir (a path below at,
 * or AT_FDCWD), and follows no link, so that a process that writes there cannot
 * redirect it. make: the mode for missing directories, which are made; 0: none
 * is made. *last is the last part, in name. -1 with errno.
 */
int file_open_parent(int at, const char *dir, const char *name, mode_t make,
		     const char **last);

/* Locks an open file (F_OFD_SETLK) until it is closed; waits at most wait_ms,
 * as a lock with a deadline is held for a moment only. -1 with errno: EAGAIN if
 * another process still holds it. */
int file_lock(int fd, int64_t wait_ms);

/* Closes fd and keeps errno; fd may be negative. */
void file_close(int fd);
/* After err_errno(): adds a hint if errno means that a file system has no
 * locks. Returns -1. */
int file_hint_locks(struct err *err);

void file_reset(int *fd); /* and sets it to -1 */

/* Returns "a/b" from "a" and "b"; to be freed. */
char *file_join(const char *dir, const char *name);

/* True if path is dir, or is below it. */
bool file_is_below(const char *path, const char *dir);

/* Returns the path of a file where directories are mounted elsewhere, to be
 * freed: places are pairs, a directory and its path there; NULL: none. A path
 * in none of them stays the same. */
char *file_map(const char *path, const struct strv *places);

/* Writes text to a new file in TMPDIR that only this user can read; suffix
 * (".ini") shows editors its type. Returns its path, to be freed; NULL with
 * err. */
char *file_temporary(const char *text, size_t len, const char *suffix,
		     struct err *err);

/* Returns the directory of this program's file; to be freed. */
char *file_program_dir(void);

/* For the first line of main(): opens /dev/null for descriptors 0, 1 and 2 that
 * are closed, so that no other file gets their number. Output to a closed 1
 * still fails. */
void file_open_standard(void);

int file_set_nonblock(int fd);
int file_set_cloexec(int fd, bool on);

#endif
