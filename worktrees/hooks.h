/* hooks.h - which hooks git would run. None is run here. */
#ifndef AFW_WORKTREES_HOOKS_H
#define AFW_WORKTREES_HOOKS_H

#include <git2.h>

#include "base/json.h"

/*
 * Sets "hooks" in answer: the absolute paths of those of names (NULL ends)
 * that git would run in the worktree top. "hooks_ignored": those that git
 * reports because they are not executable.
 */
void hooks_find(git_repository *git, const char *top, const char *const *names,
		cJSON *answer);

#endif
