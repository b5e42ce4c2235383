/* merged.h - which branches have the commits of another one. */
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
 * Whether the branch base ("main", "origin/main"), here or at a remote, has
 * the commit head; or, as after a squash or a rebase, has the files that
 * differ between since and head as they are in head. False if there is no such
 * branch.
 */
bool merged_into(git_repository *git, const char *base, const git_oid *since,
		 const git_oid *head);

/*
 * Whether commits were made on the branch since it was at since, by its
 * reflog; true if it has none. A fast-forward makes none.
 */
bool merged_has_own(git_repository *git, const char *branch,
		    const git_oid *since);

/*
 * Appends git's entries of the worktrees that have the branch checked out, or a
 * symbolic reference to it, or are in the middle of rebasing it: then *rebases
 * is set. "" is the main one. The HEAD of a bare repository does not count; one
 * that cannot be read does.
 */
int merged_worktrees(git_repository *main, const char *ref, struct strv *out,
		     bool *rebases, struct err *err);

/* Whether there is one. but: git's entry of one that does not count, or NULL.
 * Also true if that cannot be read. */
bool merged_checked_out(git_repository *main, const char *ref, const char *but);

#endif
