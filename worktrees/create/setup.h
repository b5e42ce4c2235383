/* setup.h - runs the user's command for new worktrees. */
#ifndef AFW_WORKTREES_CREATE_SETUP_H
#define AFW_WORKTREES_CREATE_SETUP_H

#include "base/mem.h"
#include "wire/worktree_request.h"
#include "worktrees/output.h"

/*
 * Runs setup of req in dir, which is open as dir_fd, with AF_WORKTREE,
 * AF_REPOSITORY and its vars set. Its output is written as {"output"} lines as
 * it comes. After setup_timeout_ms (0: ten minutes) it is killed with its
 * process group, ERR_TIMEOUT; also on a signal or when the caller closes its
 * end.
 */
int setup_run(struct output *out, const struct create_request *req,
	      const char *dir, int dir_fd, const char *repository,
	      struct err *err);

#endif
