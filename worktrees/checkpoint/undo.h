/*
 * undo.h - restores a checkpoint, in three steps: what is to be done, and
 * whether it may be (undo.c, undo_plan.c); the files (undo_run.c), the index
 * and the branch (undo_git.c). Only for undo*.c and try*.c.
 */
#ifndef AFW_WORKTREES_CHECKPOINT_UNDO_H
#define AFW_WORKTREES_CHECKPOINT_UNDO_H

#include "worktrees/changes/swap.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/private/git_lock.h"

/* Replaces the files of one tree by those of another. */
struct undo_plan {
	const struct repo_worktree *w;
	git_odb *odb;
	git_tree *old, *new; /* the files of the two */
	/* Only these files, and those below these directories; n 0: all. */
	struct strv only;
	git_oid rules; /* checkpoint.h; zero: those of now */
	int64_t at;    /* wall ms: of new */
	/* Not touched; a directory ("a/") with all below it. */
	struct strv left_alone;
	/* After a killed run: a file may also be absent, or new already;
	 * another one is left alone. */
	bool repairs;
	struct swap swap;
	mode_t umask; /* the user's, for the files of the worktree */
};

/* Opens the files of the two checkpoints, and fills swap. Refuses if a file is
 * not as in old, or something is in the way. w, odb, only, left_alone and
 * repairs are set. undo_plan_finish() in every case. */
int undo_plan_make(struct undo_plan *p, const struct checkpoint *old,
		   const struct checkpoint *new, struct err *err);
void undo_plan_finish(struct undo_plan *p);

/* True if the file is as it must be after the plan; if it is in neither. */
bool undo_plan_makes(const struct undo_plan *p, const git_index_entry *e);
bool undo_plan_leaves(const struct undo_plan *p, const char *path);

/* True if the path is among those that the plan may change. */
bool undo_plan_has(const struct undo_plan *p, const char *path);

/* As modes_restore(), for what the plan leaves in place, or puts there. */
void undo_plan_modes(const struct undo_plan *p, const struct checkpoint *had,
		     const struct checkpoint *want, struct strv *list);

struct undo_run {
	const struct repo_worktree *w;
	const struct repo_place *place;
	cJSON *answer;
	struct output *out;
	bool moves; /* the index and the branch, too */
	bool redo;
	struct checkpoint *now, *to;
	git_oid now_id, to_id;	    /* their commits */
	struct checkpoint_log *log; /* whose last entry is now */
	struct undo_plan *plan;
	struct git_lock *lock; /* from before the present state is kept */
	int64_t file_max;
	struct strv found; /* files that are in neither, and stay */
};

/* Checks that the branch may be moved from now to to, and lists the commits
 * that leave it in "commits" of answer. Refuses if one was pushed, unless redo:
 * that restores what the branch was, whatever it is. */
int undo_check_branch(const struct repo_worktree *w,
		      const struct repo_place *place,
		      const struct checkpoint *now, const struct checkpoint *to,
		      bool redo, cJSON *answer, struct err *err);

/* Removes the new index that a killed run has left; admin is git's entry, open.
 */
void undo_clear_index(int admin);

/* Sets the index and the branch to those of the checkpoint; now they are as in
 * from. */
int undo_set_git(struct git_lock *l, const struct repo_worktree *w,
		 const struct repo_place *place, const struct checkpoint *from,
		 const struct checkpoint *to, cJSON *answer, struct err *err);

/*
 * Changes the files, compares them with what they must be, and changes the
 * index and the branch. On failure everything is as it was. If it is killed,
 * undo_recover() reverses it.
 */
int undo_run(struct undo_run *r, struct err *err);

/* Fails if a file or a directory is not as the plan has made it. Adds to
 * r->found what is there besides. */
int undo_verify(struct undo_run *r, struct err *err);

#endif
