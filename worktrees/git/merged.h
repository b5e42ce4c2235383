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
