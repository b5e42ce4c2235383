/* branch.h - a workspace's branch: where it is checked out, and whether it is
 * deleted with its worktree. */
#ifndef AFW_WORKTREES_GIT_BRANCH_H
#define AFW_WORKTREES_GIT_BRANCH_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

/*
 * Appends git's entries of the worktrees that have the branch checked out, or a
 * symbolic reference to it, or are in the middle of rebasing it: then *rebases
 * is set. "" is the main one. The HEAD of a bare repository is left out; a HEAD
 * that cannot be read is included.
 */
int branch_worktrees(git_repository *main, const char *ref, struct strv *out,
		     bool *rebases, struct err *err);

/* True if a worktree has the branch, other than the one with git's entry except
 * (may be NULL). Also true if that cannot be read. */
bool branch_is_checked_out(git_repository *main, const char *ref,
			   const char *except);

/*
 * Deletes the branch, and its reference of snapshot, if when is "merged" and
 * another branch or tag has its commits, or "always" and head (NULL: none) or
 * another branch or tag has them. Keeps it if it is checked out, half rebased,
 * or at another commit than tip (NULL: any). *kept is why it stays (to be
 * freed), or NULL if it is deleted or does not exist. -1: it could not be
 * deleted.
 */
int branch_delete(git_repository *main, const char *branch, const git_oid *tip,
		  const char *when, const git_oid *head, bool *deleted,
		  char **kept, struct err *err);

#endif
