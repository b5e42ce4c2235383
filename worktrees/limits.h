/*
 * limits.h - limits what reading a tree may cost: an agent can put a FIFO or 50
 * MB in the place of any file that git reads.
 */
#ifndef AFW_WORKTREES_LIMITS_H
#define AFW_WORKTREES_LIMITS_H

#include <dirent.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* Limits this process's memory from now on: libgit2 then reports that there is
 * none. */
void limits_memory(uint64_t bytes);

/* Lifts the limit, for a command of the user: it has its own deadline, and as
 * much memory as its user. */
void limits_lift(void);

/* As open(2), but fails on a FIFO (EINVAL) instead of waiting for its other
 * end, on a file of git that is too large (EFBIG), and as git on a link that is
 * called .gitignore, .gitattributes or .gitmodules (ELOOP). */
int limits_open(const char *path, int flags, mode_t mode);

/* Allows that the user's i-th file, core.excludesFile or core.attributesFile,
 * is such a link. */
void limits_follow(size_t i, const char *path);

/* As opendir(3). libgit2 treats a directory that cannot be opened as empty:
 * limits_check_dirs() fails then. Any thread. */
DIR *limits_opendir(const char *path);
int limits_check_dirs(struct err *err);

/* Makes limits_open() follow no link below dir (borrowed; NULL: none) from now
 * on (ELOOP): an agent that writes there could link to files of others. */
void limits_no_links(const char *dir);

/* Returns the errno of a call above that failed because the system had no more
 * resources or an object may not be read; 0: none did. libgit2 treats that as
 * "not there". */
int limits_errno(void);

/* Checks a file of git before it is read: -1 if it is too large. */
int limits_check_size(const char *path, off_t bytes);

/*
 * Fails if a .gitignore, .gitattributes or .gitmodules was not read (a FIFO,
 * larger than 4 MiB): a result without it would be wrong. Any thread.
 */
int limits_check(struct err *err);

/* Forgets such a file, if only one of several worktrees has it. */
void limits_drop_file(void);

#endif
