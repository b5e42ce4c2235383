/* index_lock.h - git's index, changed under git's own lock. */
#ifndef AFW_WORKTREES_GIT_INDEX_LOCK_H
#define AFW_WORKTREES_GIT_INDEX_LOCK_H

#include <git2.h>

#include "base/err.h"

struct index_lock {
	char *index; /* the file */
	char *lock;  /* beside it; NULL: not held */
};

/*
 * Locks the index as git does, or refuses (ERR_CONFLICT); the lock holds a
 * copy. lock: another file to be it, for an index that nobody else has, which
 * replaces what is there; NULL: git's. from: the file that is copied; NULL: the
 * index. index_lock_finish() in every case.
 */
int index_lock_take(struct index_lock *l, const char *index, const char *lock,
		    const char *from, struct err *err);

/* Opens the copy (l->lock), or an index that is only read, as that of git. To
 * be freed. */
int index_lock_open(const char *file, git_repository *git, git_index **out,
		    struct err *err);

/* Says that the index of git's worktree cannot be read, with git's command
 * that writes it in a form that libgit2 reads. Returns -1. */
int index_lock_unreadable(git_repository *git, struct err *err);

/* Writes it, and it is the index; in one step. */
int index_lock_end(struct index_lock *l, git_index *index, struct err *err);

/* Makes the lock's own copy the index: what it was when it was locked. */
int index_lock_revert(struct index_lock *l, struct err *err);
void index_lock_finish(struct index_lock *l);

#endif
