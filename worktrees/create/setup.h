/* setup.h - the user's command for new worktrees. */
#ifndef AFW_WORKTREES_CREATE_SETUP_H
#define AFW_WORKTREES_CREATE_SETUP_H

#include "base/mem.h"
#include "worktrees/output.h"

/*
 * Runs argv in dir, which is open as dir_fd, with AF_WORKTREE and AF_REPOSITORY
 * set. What it prints goes out as {"output"} lines as it comes. Not done after
 * timeout_ms (0: ten minutes): killed with its process group, ERR_TIMEOUT. So
 * it is on a signal or when the reader is gone.
 */
int setup_run(struct output *out, const struct strv *argv, const char *dir,
	      int dir_fd, const char *repository, int64_t timeout_ms,
	      struct err *err);

#endif
