/* commit_index.h - makes the index of a commit. */
#ifndef AFW_WORKTREES_MERGE_COMMIT_INDEX_H
#define AFW_WORKTREES_MERGE_COMMIT_INDEX_H

#include <git2.h>

#include "base/mem.h"
#include "worktrees/git/repo.h"
#include "worktrees/output.h"

/*
 * Adds these files of the worktree to the index, which is the repository's at
 * the moment, and removes those that do not exist, also if they were only
 * staged since head. An ignored file that the index lacks is not added; of a
 * submodule, the commit that is checked out is. Follows no link, runs no
 * filter: a file that has one is ERR_REFUSED. Blocks for the files.
 */
int commit_index_add(git_index *index, const struct repo_worktree *w,
		     const git_oid *head, const struct strv *files,
		     struct output *out, struct err *err);

/*
 * Writes the tree of an index that the agent or hooks have left, from the
 * entries: it may name other trees, or trees that are only in the private git
 * directory. As in git, a file of `git add -N` is not in it. Returns an error
 * of libgit2.
 */
int commit_index_write_tree(git_oid *out, git_index *index,
			    git_repository *git);

#endif
