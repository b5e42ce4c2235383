/*
 * private_commit.h - makes a commit of the user in a private git directory,
 * whose agent is idle but may change anything at any time.
 */
#ifndef AFW_WORKTREES_PRIVATE_PRIVATE_COMMIT_H
#define AFW_WORKTREES_PRIVATE_PRIVATE_COMMIT_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"

struct private_commit {
	const char *dir;
	char *ref;	 /* refs/heads/x */
	int index, head; /* git's locks on both, open; -1: not locked */
};

/*
 * Locks the branch and the index there as git does. Refuses if another branch
 * is checked out, a merge or the like is unfinished, another git is running, or
 * the branch is not at tip. private_commit_finish() in every case.
 */
int private_commit_begin(struct private_commit *p, const char *dir,
			 const char *branch, const git_oid *tip,
			 struct err *err);

/* Makes the file the index (NULL: that stays), and moves the branch to commit,
 * whose objects the repository has. harvest() imports that. */
int private_commit_end(struct private_commit *p, const char *index,
		       const git_oid *commit, struct err *err);
void private_commit_finish(struct private_commit *p);

/* True if a merge, rebase or the like is unfinished there. */
bool private_commit_unfinished(const char *dir);

#endif
