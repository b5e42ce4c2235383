/*
 * limits.h - what a tree may cost whoever looks at it: an agent can put a
 * FIFO or 50 MB in the place of any file of git's.
 */
#ifndef AFW_WORKTREES_LIMITS_H
#define AFW_WORKTREES_LIMITS_H

#include <dirent.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* No more memory than this from now on: libgit2 says that there is none. */
void limits_memory(uint64_t bytes);

/* For a command of the user's: it has a deadline of its own, and as much
 * memory as its user. */
void limits_lift(void);

/* As open(2), but it never waits for the other end of a FIFO (EINVAL), and a
 * file of git's is of a sound size (EFBIG). */
int limits_open(const char *path, int flags, mode_t mode);

/* As opendir(3). libgit2 takes a directory that cannot be opened for an empty
 * one: limits_check_dirs() fails then. Any thread. */
DIR *limits_opendir(const char *path);
int limits_check_dirs(struct err *err);

/* Below dir (borrowed; NULL: none) limits_open() goes through no link from now
 * on (ELOOP): an agent that writes there would have another's files read. */
void limits_no_links(const char *dir);

/* Why one of those failed, where the system had no more to give or an object
 * may not be read; 0: none did. libgit2 takes that for "not there". */
int limits_errno(void);

/* Of a file of git's that is about to be read: -1 where it is too large. */
int limits_check_size(const char *path, off_t bytes);

/*
 * Fails where a .gitignore, .gitattributes or .gitmodules was not read (a
 * FIFO, larger than 4 MiB): what came out without it is not the truth. Any
 * thread.
 */
int limits_check(struct err *err);

/* Forgets such a file: it was only one of several worktrees that has it. */
void limits_forget(void);

#endif
