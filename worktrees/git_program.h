/* git_program.h - asks the git program what libgit2 does not know. */
#ifndef AFW_WORKTREES_GIT_PROGRAM_H
#define AFW_WORKTREES_GIT_PROGRAM_H

#include <git2.h>

#include "base/buf.h"
#include "base/err.h"

/*
 * Runs "git ARGS" (NULL ends) on the repository's git directory and appends
 * its output to out. Only for git var and git config: they read configuration
 * and run no hook, filter, pager or fsmonitor. No file of a worktree is read.
 * On failure err has the last line of git's message. Exit code 1 (git config
 * found nothing) is a success.
 */
int git_program_ask(git_repository *git, const char *const *args,
		    struct buf *out, struct err *err);

#endif
