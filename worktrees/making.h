/*
 * making.h - the mark on a worktree that is not finished: the file `locked`
 * in git's entry, held with flock(2) by the run that makes it.
 *
 * git leaves an entry with that file alone. The kernel frees the flock in
 * every kind of death, so that a mark which nobody holds is what a crash
 * left behind; the next run takes that back.
 */
#ifndef AFW_WORKTREES_MAKING_H
#define AFW_WORKTREES_MAKING_H

#include <git2.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/err.h"

struct making {
	int fd; /* -1: none */
	char *ref;
	git_oid commit;
	bool has_tree, has_ref; /* made so far: */
	ino_t ino;
};

/* Marks the entry that this run has just made. */
int making_begin(struct making *m, int entry, const char *ref,
		 const git_oid *commit, struct err *err);

/* Writes what has_tree, ino and has_ref say now. */
int making_note(struct making *m, struct err *err);

/* Takes the mark away: it is a worktree. */
int making_end(struct making *m, int entry, struct err *err);
void making_finish(struct making *m);

/*
 * Takes back what a dead run left of the entry id, of the directory base in
 * dir, and of its branch. True where there was such a thing and it is gone.
 */
bool making_undo_stale(git_repository *git, int admins, const char *id, int dir,
		       const char *base);

#endif
