/*
 * merge.h - a session's branch into another one, in three steps: what comes
 * of it, made in memory (merge_plan.c, merge_conflict.c); the worktree that
 * has the other branch checked out (merge_target.c, merge_check.c,
 * swap.c); the branch itself (merge.c). Only for merge*.c.
 */
#ifndef AFW_WORKTREES_MERGE_MERGE_H
#define AFW_WORKTREES_MERGE_MERGE_H

#include "worktrees/git/index_lock.h"
#include "worktrees/git/repo.h"
#include "worktrees/git/sparse.h"
#include "worktrees/merge/swap.h"

struct merge {
	const cJSON *req;
	cJSON *answer;
	struct output *out;
	struct repo repo;
	mode_t umask;		   /* the user's */
	const char *branch, *into; /* short */
	char *message;		   /* of the commit that is made; or NULL */
	bool squash, rebase, dry_run;
	enum { MERGE_FF, MERGE_FF_NO, MERGE_FF_ONLY } ff;
	char *into_ref;
	git_oid from, old; /* what the two branches are at */
	git_oid result;	   /* what into becomes; old: nothing to do */
	git_oid tree;	   /* of that */
	const char *how;   /* "up-to-date", "fast-forward", "merge", "squash",
			      "rebase" */
	bool refused;	   /* the answer says why; nothing is changed */
};

/* A rename_threshold: to compare contents, libgit2 needs all of them, which a
 * partial clone may lack. */
#define MERGE_SAME_CONTENT 100

/* What git could not be told in one line: "refused": why, "files": names. */
void merge_refuse(struct merge *m, const char *why, const struct strv *files);

/* Reads merge.ff and branch.<into>.mergeoptions into ff; the answer gets
 * "options_not_used", words of the latter. */
int merge_ff_load(struct merge *m, struct err *err);

/* Fills result and how, and "commits" of the answer; objects are all that it
 * writes. Refuses where there are conflicts. */
int merge_plan(struct merge *m, struct err *err);

/* Also if a path is a file on one side and a directory on the other. */
bool merge_has_conflicts(git_index *index);

/* What an index has of conflicts, as an array: "path", "what", "lines" of our
 * side's file; *n of them, of which 200 are told. NULL with err. */
cJSON *merge_conflicts(git_repository *git, git_index *index, int64_t *n,
		       struct err *err);

/* The worktree that has into checked out. */
struct target {
	git_repository *git; /* NULL: none has */
	char *path;
	char *index_file;	/* git's for it */
	struct index_lock lock; /* git's, held to the end */
	struct index_lock new;	/* not yet the index */
	bool has_index;		/* new is the index */
	git_index *index;	/* in new; of a dry run in index_file */
	git_diff *diff;		/* of the branch's old tree and its new one */
	struct sparse sparse;
	struct swap swap;
	struct strv dirty; /* what is in the way */
	bool modes;	   /* core.fileMode */
	dev_t dev;
};

/* target_finish() in every case. */
int target_open(struct target *t, const struct merge *m, struct err *err);
void target_finish(struct target *t);
#define _target_ CLEANUP(target_finish)

/*
 * Makes its files and its index those of m->result. Refuses, with the files,
 * before anything is changed, unless each file that differs is unmodified or
 * is as it will be: so the next run finishes one that was killed. dry_run:
 * only checks. On failure everything is as it was.
 */
int target_update(struct target *t, struct merge *m, struct err *err);

/* For that: fills swap, and dirty. merge_check.c */
int merge_check(struct target *t, struct err *err);

/* After that, when the branch has moved. */
void target_done(struct target *t);

/* Or if it could not be moved: puts the old files and the old index back. */
void target_undo(struct target *t, struct err *err);

#endif
