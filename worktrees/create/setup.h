/* setup.h - runs the user's command for new worktrees. */
#ifndef AFW_WORKTREES_CREATE_SETUP_H
#define AFW_WORKTREES_CREATE_SETUP_H

#include "base/mem.h"
#include "worktrees/output.h"

struct setup {
	const char *key; /* the option that has the command */
	const struct strv *argv;
	const struct strv *vars; /* NAME=VALUE, in its environment and words */
	int64_t timeout_ms;	 /* 0: ten minutes */
};

/*
 * Runs it in dir, which is open as dir_fd, with AF_WORKTREE, AF_REPOSITORY and
 * vars set. Its output is written as {"output"} lines as it comes. After
 * timeout_ms it is killed with its process group, ERR_TIMEOUT; also on a signal
 * or when the caller closes its end.
 */
int setup_run(struct output *out, const struct setup *s, const char *dir,
	      int dir_fd, const char *repository, struct err *err);

#endif
