/*
 * try.h - the main worktree while it has a session's state: what try.c (in) and
 * try_end.c (back) share. Only for try*.c.
 */
#ifndef AFW_WORKTREES_CHECKPOINT_TRY_H
#define AFW_WORKTREES_CHECKPOINT_TRY_H

#include "wire/tried.h"
#include "worktrees/checkpoint/undo.h"

struct try_main {
	struct repo_worktree w;
	struct repo_place place;
	struct output *out;
	git_odb *odb;
	mode_t umask;
	int lock; /* of the list */
	struct git_lock git_lock;
	struct checkpoint_log log;
	struct tried tried;
};

#define TRY_KIND "try" /* of the checkpoints that try_drop() removes */

/* The number of the session's state, which was added before "before". */
#define TRY_THERE(m) ((m)->tried.before - 1)

#define TRY_MAIN_NONE                                                          \
	{                                                                      \
		.w = REPO_WORKTREE_NONE, .lock = -1, .git_lock = GIT_LOCK_NONE \
	}

/* Opens and locks the main worktree, puts back what a killed run has left, and
 * reads the record. try_finish() in every case. */
int try_open(struct try_main *m, const char *repository, struct output *out,
	     struct err *err);
void try_finish(struct try_main *m);
#define _try_ CLEANUP(try_finish)

/* Locks git's index, and takes its state; also: as in struct scan. */
int try_take(struct try_main *m, struct checkpoint *c, const git_oid *also,
	     struct err *err);

/* Adds c to the list. */
int try_add(struct try_main *m, struct checkpoint *c, struct err *err);

/* Replaces the state now, the last in the list, by the state to, which is in
 * the list, too. Adds what stays to left_alone. On failure everything is as it
 * was. */
int try_replace(struct try_main *m, struct checkpoint *now,
		struct checkpoint *to, struct strv *left_alone,
		struct err *err);

/* Removes the record, and its checkpoints, unless an unfinished change needs
 * them. */
int try_drop(struct try_main *m, struct err *err);

/* Removes the checkpoints of a run that was killed from the end of the list. */
void try_drop_left(struct try_main *m);

/* Adds the permissions of more for paths that list lacks. */
void try_add_modes(struct strv *list, const struct strv *more);

/* Writes the files that differ between the two trees into the session's
 * worktree, as uncommitted changes. Refuses if one of them has been changed
 * there, too. Adds their paths to paths. */
int try_give_back(const struct try_main *m, const struct repo_place *place,
		  const struct checkpoint *there, const struct checkpoint *now,
		  struct strv *paths, struct err *err);

#endif
