/* undo_recover.h - reverses what a killed undo has left. */
#ifndef AFW_WORKTREES_CHECKPOINT_UNDO_RECOVER_H
#define AFW_WORKTREES_CHECKPOINT_UNDO_RECOVER_H

#include "worktrees/git/repo.h"
#include "worktrees/output.h"

/* Restores the state before a killed undo, if there is one. The list of
 * checkpoints is locked. req as status; umask: the user's, see repo_share(). */
int undo_recover(const struct repo_worktree *w, mode_t umask, const cJSON *req,
		 struct output *out, struct err *err);

#endif
