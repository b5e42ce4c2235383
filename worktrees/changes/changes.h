/*
 * changes.h - what is different in a worktree, through libgit2 alone: no
 * hook, filter or fsmonitor runs, and no nested repository is entered.
 */
#ifndef AFW_WORKTREES_CHANGES_CHANGES_H
#define AFW_WORKTREES_CHANGES_CHANGES_H

#include "worktrees/git/repo.h"

/* "base_commit" of a request. */
int changes_base(const cJSON *req, git_oid *base, struct err *err);

/*
 * base (NULL: nothing at all) against the files as they are: committed, staged,
 * unstaged and untracked, but for what create copied or linked; or staged:
 * against the index. To be freed.
 */
git_diff *changes_since(const struct repo_worktree *w, const git_oid *base,
			bool staged, struct err *err);

#endif
