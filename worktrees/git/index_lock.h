/* index_lock.h - changes git's index under git's own lock. */
#ifndef AFW_WORKTREES_GIT_INDEX_LOCK_H
#define AFW_WORKTREES_GIT_INDEX_LOCK_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"

struct index_lock {
	char *index; /* the file */
	char *lock;  /* beside it; NULL: not held */
};

/*
 * Locks the index as git does, or refuses (ERR_CONFLICT); the lock file holds a
 * copy. lock: another lock file, for an index that no other process uses, which
 * replaces an existing one; NULL: git's. from: the file that is copied; NULL:
 * the index. index_lock_finish() in every case.
 */
int index_lock_acquire(struct index_lock *l, const char *index,
		       const char *lock, const char *from, struct err *err);

/* Makes names that differ only in case two, whatever core.ignoreCase says: a
 * file system that treats them as one shows it. */
int index_lock_heed_case(git_index *index);

/* Makes index the index of git. -1 with libgit2's error. */
int index_lock_share(git_index *index, git_repository *git);

/* Opens the copy (own: l->lock), or an index that is only read, as the index of
 * git. *out is to be freed. */
int index_lock_open(const char *file, bool own, git_repository *git,
		    git_index **out, struct err *err);

/* Reports that the worktree's index cannot be read, with the git command that
 * rewrites it in a form that libgit2 reads. Returns -1. */
int index_lock_unreadable(git_repository *git, struct err *err);

/* Writes index and makes it git's index, in one step. */
int index_lock_end(struct index_lock *l, git_index *index, struct err *err);

/* Makes the lock's own copy the index: what it was when it was locked. */
int index_lock_revert(struct index_lock *l, struct err *err);
void index_lock_finish(struct index_lock *l);

#endif
