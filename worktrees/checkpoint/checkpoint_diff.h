/* checkpoint_diff.h - what has changed since a checkpoint. */
#ifndef AFW_WORKTREES_CHECKPOINT_CHECKPOINT_DIFF_H
#define AFW_WORKTREES_CHECKPOINT_CHECKPOINT_DIFF_H

#include "worktrees/git/repo.h"

/*
 * Returns the diff of checkpoint "from" and checkpoint "to", or the worktree as
 * it is now; without "from", of the newest turn's start and now. To be freed,
 * before w. w's object store has the present files in memory.
 */
git_diff *checkpoint_diff(const struct repo_worktree *w, const cJSON *req,
			  struct err *err);

#endif
