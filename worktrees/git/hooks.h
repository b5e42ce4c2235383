/* hooks.h - finds the hooks that git would run; runs none. */
#ifndef AFW_WORKTREES_GIT_HOOKS_H
#define AFW_WORKTREES_GIT_HOOKS_H

#include <git2.h>

#include "base/json.h"
#include "base/mem.h"

/*
 * Adds those of names (NULL ends) that git would run in the worktree top to
 * found, and the paths of those that are not executable to ignored, if that is
 * not NULL. Returns the absolute path of their directory, to be freed.
 */
char *hooks_find(git_repository *git, const char *top, const char *const *names,
		 struct strv *found, struct strv *ignored);

/* Sets "hooks_not_run" in answer to what hooks_find() finds. For a note alone:
 * it reads core.hooksPath by libgit2, without starting git. */
void hooks_set_not_run(git_repository *git, const char *top,
		       const char *const *names, cJSON *answer);

#endif
