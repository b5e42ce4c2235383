/* base_commit.h - the commit that a new worktree starts from. */
#ifndef AFW_WORKTREES_GIT_BASE_COMMIT_H
#define AFW_WORKTREES_GIT_BASE_COMMIT_H

#include "worktrees/git/repo.h"

struct base_commit {
	git_oid commit, tree;
	char *name; /* the branch or tag it came from, else the commit */
};

/*
 * Finds the commit of base: a branch, tag, remote branch or anything git names
 * a commit with; NULL or "": HEAD of the user's worktree, or what it was before
 * afw try. base_commit_finish() in every case.
 */
int base_commit_find(struct base_commit *b, const struct repo *r,
		     const char *base, struct err *err);
void base_commit_finish(struct base_commit *b);

#endif
