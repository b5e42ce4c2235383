/* merged.h - finds which branches have the commits of another one. */
#ifndef AFW_WORKTREES_GIT_MERGED_H
#define AFW_WORKTREES_GIT_MERGED_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"

/*
 * Sets *merged if all n commits are in a branch, remote-tracking branch or tag
 * other than the reference except (may be NULL).
 */
int merged_all(git_repository *git, const git_oid *commits, size_t n,
	       const char *except, bool *merged, struct err *err);

/* Returns the branch that base names, without a remote's name: "main" of
 * "origin/main". Borrowed from base. */
const char *merged_branch(git_repository *git, const char *base);

/*
 * True if the branch ("main"), here or at a remote, has the commit head; or, as
 * after a squash or a rebase, has the files that differ between since and head
 * as they are in head. False if there is no such branch.
 */
bool merged_into(git_repository *git, const char *branch, const git_oid *since,
		 const git_oid *head);

/*
 * True if commits were made on the branch since it was at since, by its reflog,
 * or if it has no reflog. A fast-forward makes no commit.
 */
bool merged_has_own(git_repository *git, const char *branch,
		    const git_oid *since);

#endif
