/* setup.h - runs the user's command for new worktrees. */
#ifndef AFW_WORKTREES_CREATE_SETUP_H
#define AFW_WORKTREES_CREATE_SETUP_H

#include "base/mem.h"
#include "worktrees/output.h"

/*
 * Runs argv in dir, which is open as dir_fd, with AF_WORKTREE and AF_REPOSITORY
 * set. Its output is written as {"output"} lines as it comes. After timeout_ms
 * (0: ten minutes) it is killed with its process group, ERR_TIMEOUT; also on a
 * signal or when the caller closes its end.
 */
int setup_run(struct output *out, const struct strv *argv, const char *dir,
	      int dir_fd, const char *repository, int64_t timeout_ms,
	      struct err *err);

#endif
