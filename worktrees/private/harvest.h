/*
 * harvest.h - imports the commits that a session in a sandbox has made in its
 * private git directory. It contains only the objects committed there, and the
 * agent can write it: nothing in it is trusted.
 */
#ifndef AFW_WORKTREES_PRIVATE_HARVEST_H
#define AFW_WORKTREES_PRIVATE_HARVEST_H

#include "worktrees/git/repo.h"

/*
 * Imports from the private directory, if there is one: copies commits of its
 * branch that the repository lacks, moves the branch, and updates the index in
 * git's entry. Sets a warning in answer, "harvest".
 */
int harvest(const struct repo_place *place, cJSON *answer, struct err *err);

/* Prepares a new private directory: its whole branch counts as imported;
 * submodules in git's index for the worktree are marked to be skipped. req as
 * harvest(). */
int harvest_begin(const struct repo_place *place, const struct repo_worktree *w,
		  struct err *err);

#endif
