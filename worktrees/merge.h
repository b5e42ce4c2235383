/*
 * merge.h - a session's branch into another one, in three steps: what comes
 * of it, made in memory (merge_plan.c, merge_conflict.c); the worktree that
 * has the other branch checked out (merge_files.c, merge_stage.c); the branch itself
 * (merge.c). Only for merge*.c.
 */
#ifndef AFW_WORKTREES_MERGE_H
#define AFW_WORKTREES_MERGE_H

#include "worktrees/index_lock.h"
#include "worktrees/repo.h"

struct merge {
	cJSON *answer;
	struct repo repo;
	const char *branch, *into; /* short */
	char *message;		   /* of the commit that is made; or NULL */
	bool squash, rebase, dry_run;
	char *into_ref;
	git_oid from, old; /* what the two branches are at */
	git_oid result;	   /* what into becomes; old: nothing to do */
	const char *how;   /* "up-to-date", "fast-forward", "merge", "squash",
			      "rebase" */
	bool refused;	   /* the answer says why; nothing is changed */
};

/* What git could not be told in one line: "refused": why, "files": names. */
void merge_refuse(struct merge *m, const char *why, const struct strv *files);

/* Fills result and how, and "commits" of the answer; objects are all that it
 * writes. Refuses where there are conflicts. */
int merge_plan(struct merge *m, struct err *err);

/* What an index has of conflicts, as an array: "path", "what", "lines" of our
 * side's file; *n of them, of which 200 are told. NULL with err. */
cJSON *merge_conflicts(git_repository *git, git_index *index, int64_t *n,
		       struct err *err);

/* The worktree that has into checked out. */
struct holder {
	git_repository *git; /* NULL: none has */
	char *path;
	char *index; /* git's for it */
	struct index_lock lock;
};

/* holder_finish() in every case: unlocks what was not ended. */
int holder_open(struct holder *h, const struct merge *m, struct err *err);
void holder_finish(struct holder *h);

/*
 * Makes its files and its index those of m->result, where they are unmodified
 * in all that differs, or are so already: a run that was killed is finished by
 * the next one. Else refuses, with the files, before anything is touched.
 * dry_run: only looks.
 */
int holder_update(struct holder *h, struct merge *m, struct err *err);

#endif
