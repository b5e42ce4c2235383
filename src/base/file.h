/*
 * file.h - files and directories, the careful way. Nothing here follows a
 * symlink in the last component. All paths are the caller's to keep.
 */
#ifndef AFW_BASE_FILE_H
#define AFW_BASE_FILE_H

#include <dirent.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

/*
 * Opens a file of ours: a regular file that belongs to us. Nothing that lies
 * in its place can make us wait (a FIFO), and no link is followed. flags as
 * of open(2); a file made is 0600. dirfd may be AT_FDCWD. -1 with errno: that
 * of open(2), EINVAL where it is no regular file, EPERM where it is another
 * user's.
 */
int file_open(int dirfd, const char *name, int flags, struct err *err);

/* Whether the errno of a failed read is about what lies there, and not about
 * the moment (EIO, EMFILE): only such a file may be put aside. */
bool file_is_bad(int why);

/*
 * Reads a whole regular file, anybody's, into out (appended). dirfd may be
 * AT_FDCWD. Fails with errno ENOENT, EFBIG over max bytes, EINVAL where it is
 * not a regular file.
 */
int file_read(int dirfd, const char *name, size_t max, struct buf *out,
	      struct err *err);

/* From where fd stands to the end; -1 with errno, and nothing appended. */
int file_read_fd(int fd, size_t max, struct buf *out);

/*
 * Replaces name in dirfd (a path: AT_FDCWD) in one step: temporary file beside
 * it (O_EXCL, 0600), write, rename. durable: fsync of the file before and of
 * the directory after. On failure the old file stands and no temporary file is
 * left.
 */
int file_replace(int dirfd, const char *name, const void *data, size_t len,
		 bool durable, struct err *err);

/* Removes what a file_replace() that was killed left in a directory (names as
 * of file_list()) more than so many ms ago; 0, for who is the directory's one
 * writer: all of it. */
void file_sweep(int dirfd, const char *name, int64_t older_ms);

/* rename(2) of a directory that replaces nothing but, on some file systems,
 * an empty one; -1 with errno. */
int file_rename_new(int from, const char *name, int to, const char *new_name);

/* write(2) until all is out; -1 with errno. Blocks. */
int file_write_all(int fd, const void *data, size_t len);

/* A file without a name that holds data, open at its beginning, for a child's
 * standard input; -1 with errno. */
int file_in_memory(const void *data, size_t len);

/* mkdir -p; what is there already is not looked at. -1 with errno, and path cut
 * behind what could not be made. */
int file_make_dirs(char *path, mode_t mode);

/*
 * Makes the directory (and its parents, 0700 each) and checks that
 * it is a directory (no link to one), ours, and closed to others; where it is
 * ours but open, it is closed.
 */
int file_private_dir(const char *path, struct err *err);

/* The flags of open(2) for a directory, and no link to one. */
#define FILE_DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/*
 * The names in a directory (no link; "." is dirfd itself, read from its
 * beginning): NULL with errno, which the other two take as well. The next
 * name, but for "." and ".."; NULL at the end, with errno 0, or on failure.
 */
DIR *file_list(int dirfd, const char *name);
const char *file_list_next(DIR *d);
void file_list_end(DIR *d);

/*
 * The directory below dir (a path below at, or AT_FDCWD) that name's last part
 * lies in, for who may not be led elsewhere by whoever writes there: through
 * no link. make: the mode of those that are missing and are made; 0: none is.
 * *last is that part, in name. -1 with errno.
 */
int file_open_parent(int at, const char *dir, const char *name, mode_t make,
		     const char **last);

/* close(2), with errno as it was; fd may be negative. */
void file_close(int fd);
/* After err_errno(): adds what to do if errno says that a file system has no
 * locks. Always -1. */
int file_hint_locks(struct err *err);

void file_reset(int *fd); /* and sets it to -1 */

/* "a/b" from "a" and "b"; to be freed. */
char *file_join(const char *dir, const char *name);

/* The path that a file has where directories are mounted elsewhere: places are
 * pairs, a directory and where it is there. As it is if it is in none of them,
 * or if there are no places (NULL); to be freed. */
char *file_map(const char *path, const struct strv *places);

/* A new file of that text in TMPDIR, which nobody else can read, by whose
 * suffix (".ini") an editor knows what it is: its path, to be freed. NULL with
 * err. */
char *file_temporary(const char *text, size_t len, const char *suffix,
		     struct err *err);

/* The directory in which this program's file lies; to be freed. */
char *file_program_dir(void);

/* For the first line of main(): what of 0, 1 and 2 is closed is /dev/null,
 * so that no file of ours gets its number. Output to a closed 1 still fails. */
void file_open_standard(void);

int file_set_nonblock(int fd);
int file_set_cloexec(int fd, bool on);

#endif
