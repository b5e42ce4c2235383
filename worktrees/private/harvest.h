/*
 * harvest.h - imports the commits that a session in a sandbox has made in its
 * private git directory. That has no object of the repository's but what is
 * committed there, and is the agent's to write: nothing in it is believed.
 */
#ifndef AFW_WORKTREES_PRIVATE_HARVEST_H
#define AFW_WORKTREES_PRIVATE_HARVEST_H

#include "worktrees/git/repo.h"

/*
 * "private" of the request: commits of its branch that the repository has not
 * are copied there, the branch follows, and so does the index in git's entry.
 * Nothing if the request has none. A warning goes into answer, "harvest".
 */
int harvest(const cJSON *req, cJSON *answer, struct err *err);

/* When the directory is made: all of its branch is imported; what are
 * submodules in git's index for the worktree is not looked into. req as
 * harvest(). */
int harvest_begin(const cJSON *req, const struct repo_worktree *w,
		  struct err *err);

#endif
