/* undo_recover.h - reverses what a killed undo has left. */
#ifndef AFW_WORKTREES_CHECKPOINT_UNDO_RECOVER_H
#define AFW_WORKTREES_CHECKPOINT_UNDO_RECOVER_H

#include "worktrees/git/repo.h"
#include "worktrees/output.h"

/* Restores the state before a killed undo, if there is one. The list of
 * checkpoints is locked. umask: the user's, see repo_share(). */
int undo_recover(const struct repo_worktree *w, mode_t umask,
		 const struct repo_place *place, struct output *out,
		 struct err *err);

/* True if there is one still: it could not be reversed. */
bool undo_is_pending(const struct repo_worktree *w);

#endif
