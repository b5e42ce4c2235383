/* merged.h - whether commits would be lost with a branch. */
#ifndef AFW_WORKTREES_GIT_MERGED_H
#define AFW_WORKTREES_GIT_MERGED_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

/*
 * *merged: whether all n commits are in a branch, remote-tracking branch or
 * tag other than the reference except (may be NULL).
 */
int merged_all(git_repository *git, const git_oid *commits, size_t n,
	       const char *except, bool *merged, struct err *err);

/*
 * Whether a worktree (the main one included, but not a bare repository) has
 * the branch checked out, or is in the middle of rebasing it; also true if
 * that cannot be read. but: git's entry of one that does not count, or NULL.
 */
bool merged_checked_out(git_repository *main, const char *ref, const char *but);

/*
 * Appends git's entries of the worktrees that have the branch checked out; ""
 * is the main one. The HEAD of a bare repository does not count. -1 with err
 * if one is in the middle of rebasing it, or if that cannot be read.
 */
int merged_holders(git_repository *main, const char *ref, struct strv *out,
		   struct err *err);

#endif
