/* branch.h - what becomes of a workspace's branch when its worktree goes. */
#ifndef AFW_WORKTREES_BRANCH_H
#define AFW_WORKTREES_BRANCH_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"

/*
 * Deletes the branch, if when is "always", or "merged" and another branch or
 * tag has its commits; never where it has moved away from tip or is checked
 * out. *kept says why it stays (to be freed), NULL where it is deleted or is
 * not there.
 */
int branch_delete(git_repository *main, const char *branch, const git_oid *tip,
		  const char *when, bool *deleted, char **kept,
		  struct err *err);

#endif
