/*
 * trash.h - one worktree on its way to the trash, or out of it: what trash.c
 * (the operations), trash_save.c (the commit), trash_keep.c (its last parent)
 * and trash_move.c (the directories) share.
 */
#ifndef AFW_WORKTREES_TRASH_H
#define AFW_WORKTREES_TRASH_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "worktrees/output.h"
#include "worktrees/repo.h"
#include "worktrees/snapshot.h"

#define TRASH_REFS    "refs/afw/trash/"
#define TRASH_PARENTS 4

struct trash {
	struct repo_worktree w;
	struct repo repo;
	struct output *out;
	const char *id, *branch; /* borrowed from the request */
	int can, bin;		 /* .trash and .trash/<id>, open; or -1 */
	struct snapshot shot;
	git_oid parents[TRASH_PARENTS];
	size_t n_parents;
	git_oid head, tip, commit;
	bool has_head, has_tip;
	char ref[128];
	char *path; /* of bin */
};

/* Whether the worktree of the session with that id is in the trash. */
bool trash_holds(const struct repo_worktree *w, const char *id);

bool trash_id_valid(const char *id);

/* All files into a commit with a reference of its own: shot, commit, ref. */
int trash_save(struct trash *t, struct err *err);

/*
 * A commit that has all objects which git's entry for the worktree names, as
 * parents or in its tree; up to 65536 of them, from 64 MiB of text. any:
 * whether there are others than HEAD, else there is no commit.
 */
int trash_keep(struct trash *t, git_oid *commit, bool *any, struct err *err);

/* Deletes the references of this id, those of runs that died too. */
void trash_delete_refs(git_repository *git, const char *id);

/* Opens can and bin, where there are any. */
void trash_open_bin(struct trash *t);

/* Whether the worktree, or git's entry for it, lies in bin. */
bool trash_has_tree(const struct trash *t);
bool trash_has_entry(const struct trash *t);

/* The answer of op "trash", as it stands in bin; to be deleted. */
cJSON *trash_read_record(const struct trash *t, struct err *err);

/* Makes bin with the record in it, then moves the worktree and git's entry
 * there. Where err is filled both are where they were. */
int trash_move_in(struct trash *t, const cJSON *record, struct err *err);

/* Moves git's entry after a worktree that is in bin already. */
int trash_finish_move(struct trash *t, struct err *err);

/* Both back, or what a run that died has not put back. Nothing is
 * overwritten. */
int trash_move_back(struct trash *t, struct err *err);

/* Removes bin, with the record and nothing else in it. */
void trash_drop_bin(struct trash *t);

/*
 * Renames bin so that it cannot be restored any more, then deletes it with
 * all that is in it. Where a run before has died, goes on.
 */
int trash_delete_bin(struct trash *t, struct err *err);

/* Whether a run of trash_delete_bin() has died on it. */
bool trash_is_half_deleted(const struct trash *t);

#endif
