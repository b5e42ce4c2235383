/*
 * git_lock.h - locks what git locks of a worktree, before its index and its
 * branch are changed.
 */
#ifndef AFW_WORKTREES_PRIVATE_GIT_LOCK_H
#define AFW_WORKTREES_PRIVATE_GIT_LOCK_H

#include "worktrees/git/index_lock.h"
#include "worktrees/git/repo.h"
#include "worktrees/private/private_commit.h"

struct git_lock {
	struct index_lock index;       /* without a private git directory */
	struct private_commit private; /* with one */
	char *record;		       /* a file that names them; or NULL */
};

#define _git_lock_ CLEANUP(git_lock_release)
#define GIT_LOCK_NONE                                                          \
	{                                                                      \
		.private = {.index = -1, .head = -1 }                          \
	}

/* Locks the index; in a private git directory also the branch, which must be
 * checked out there and, unless tip is NULL, at tip. The list of checkpoints is
 * locked. git_lock_release() in every case. */
int git_lock_take(struct git_lock *l, const struct repo_worktree *w,
		  const struct repo_place *place, const git_oid *tip,
		  struct err *err);
void git_lock_release(struct git_lock *l);

/* Removes the locks that a killed run has left. admin is git's entry for w,
 * open. */
void git_lock_clear(const struct repo_worktree *w, int admin,
		    const struct repo_place *place);

#endif
