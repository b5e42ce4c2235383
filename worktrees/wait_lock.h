/* wait_lock.h - locks a file against other runs of afw-worktree. */
#ifndef AFW_WORKTREES_WAIT_LOCK_H
#define AFW_WORKTREES_WAIT_LOCK_H

#include "worktrees/output.h"

/* Takes the flock(2) of an open file or directory; path is its name. Waits a
 * minute for other runs (ERR_TIMEOUT). out may be NULL: then only a signal ends
 * the wait. */
int wait_lock(int fd, const char *path, struct output *out, struct err *err);

#endif
