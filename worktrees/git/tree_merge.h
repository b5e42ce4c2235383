/* tree_merge.h - merges two trees of git whose changes do not meet. */
#ifndef AFW_WORKTREES_GIT_TREE_MERGE_H
#define AFW_WORKTREES_GIT_TREE_MERGE_H

#include <git2.h>
#include <stdbool.h>

/*
 * Adds what theirs has changed since base to ours, and returns true, if no path
 * that one side has changed is changed by the other, or is a directory there.
 * Otherwise, and on any failure, libgit2 is to merge them: it reads all files
 * of the three trees.
 */
bool tree_merge(git_oid *out, git_repository *git, const git_tree *base,
		git_tree *ours, const git_tree *theirs);

#endif
