/* turn.h - finds what has changed since the session's last turn began. */
#ifndef AFW_WORKTREES_CHANGES_TURN_H
#define AFW_WORKTREES_CHANGES_TURN_H

#include "worktrees/git/repo.h"

#define TURN_REF "AFW_TURN"

/*
 * Returns the diff of the worktree as worktree_turn() found it and as it is
 * now, committed or not; to be freed, before w. w's object store has the new
 * side in memory. NULL if no turn has begun, or git has pruned it.
 */
git_diff *turn_diff(const struct repo_worktree *w, const cJSON *req,
		    struct err *err);

#endif
