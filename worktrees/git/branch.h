/* branch.h - what becomes of a workspace's branch when its worktree goes. */
#ifndef AFW_WORKTREES_GIT_BRANCH_H
#define AFW_WORKTREES_GIT_BRANCH_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"

/*
 * Deletes the branch, if when is "merged" and another branch or tag has its
 * commits, or "always" and head (NULL: none) or another branch or tag has
 * them; never where it is checked out, half rebased, or at another commit
 * than tip (NULL: wherever it is). *kept says why it stays (to be freed),
 * NULL where it is deleted or is not there. -1: it could not be deleted.
 */
int branch_delete(git_repository *main, const char *branch, const git_oid *tip,
		  const char *when, const git_oid *head, bool *deleted,
		  char **kept, struct err *err);

/* Deletes the reference if it is (still) at oid. */
int branch_delete_ref(git_repository *git, const char *name,
		      const git_oid *oid);

#endif
