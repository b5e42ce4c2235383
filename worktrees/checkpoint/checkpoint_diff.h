/* checkpoint_diff.h - what has changed since a checkpoint. */
#ifndef AFW_WORKTREES_CHECKPOINT_CHECKPOINT_DIFF_H
#define AFW_WORKTREES_CHECKPOINT_CHECKPOINT_DIFF_H

#include "worktrees/git/repo.h"

/* Compares the trees "files" of two checkpoints; to be freed. NULL with err. */
git_diff *checkpoint_compare(git_repository *git, const git_oid *from,
			     const git_oid *to, struct err *err);

/*
 * Returns the diff of checkpoint "from" and checkpoint "to", or the worktree as
 * it is now; without "from", of the newest turn's start and now. To be freed,
 * before w. w's object store has the present files in memory.
 */
git_diff *checkpoint_diff(const struct repo_worktree *w,
			  const struct diff_request *req, struct err *err);

#endif
