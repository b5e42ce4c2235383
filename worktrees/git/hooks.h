/* hooks.h - finds the hooks that git would run; runs none. */
#ifndef AFW_WORKTREES_GIT_HOOKS_H
#define AFW_WORKTREES_GIT_HOOKS_H

#include <git2.h>

#include "base/json.h"
#include "base/mem.h"

/*
 * Sets "hooks_not_run" in answer to those of names (NULL ends) that git would
 * run in the worktree top. For a note alone: it reads core.hooksPath by
 * libgit2, without starting git.
 */
void hooks_set_not_run(git_repository *git, const char *top,
		       const char *const *names, cJSON *answer);

#endif
