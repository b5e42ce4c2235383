/*
 * merge.h - merges a session's branch into another one, in three steps: the
 * result, made in memory (merge_plan.c, merge_conflict.c); the worktree that
 * has the other branch checked out (merge_target.c, merge_check.c); the
 * branch itself (merge.c). Only for merge*.c.
 */
#ifndef AFW_WORKTREES_MERGE_MERGE_H
#define AFW_WORKTREES_MERGE_MERGE_H

#include "worktrees/changes/swap.h"
#include "worktrees/git/index_lock.h"
#include "worktrees/git/repo.h"
#include "worktrees/git/sparse.h"

struct merge {
	const struct merge_request *req;
	cJSON *answer;
	struct output *out;
	struct repo repo;
	mode_t umask;		   /* the user's */
	const char *branch, *into; /* short */
	char *message;		   /* of the commit that is made; or NULL */
	bool squash, rebase;
	bool moves; /* into; no dry run */
	enum { MERGE_FF, MERGE_FF_NO, MERGE_FF_ONLY } ff;
	bool two_identities; /* of author and committer, by the configuration */
	struct buf config;   /* for sign_use() */
	char *into_ref;
	git_oid from, old; /* the commits of the two branches */
	git_oid tip;	   /* of into; old may be another one: "onto" */
	git_oid result;	   /* the new commit of into; old: nothing to do */
	git_oid tree;	   /* of the result */
	const char *how;   /* "up-to-date", "fast-forward", "merge", "squash",
			      "rebase" */
	bool refused;	   /* the answer says why; nothing is changed */
};

/* A rename_threshold: to compare contents, libgit2 needs all of them, which a
 * partial clone may lack. */
#define MERGE_SAME_CONTENT 100

/* Refuses with more than one line: "refused": why, "files": names. */
void merge_refuse(struct merge *m, const char *why, const struct strv *files);

/* Reads config: merge.ff and branch.<into>.mergeoptions into ff, and
 * two_identities; sets "options_not_used" of the answer, options of the
 * latter. merge_ff.c */
int merge_config_load(struct merge *m, struct err *err);

/* Sets result and how, and "commits" of the answer; writes only objects.
 * Refuses if there are conflicts. */
int merge_plan(struct merge *m, struct err *err);

/* True if there are conflicts, also if a path is a file on one side and a
 * directory on the other. */
bool merge_has_conflicts(git_index *index);

/* Returns the conflicts of an index, as an array: "path", "what", "lines" of
 * our side's file; *n is their number, at most 200 are listed. NULL with
 * err. */
cJSON *merge_conflicts(git_repository *git, git_index *index, int64_t *n,
		       struct err *err);

/* Before the branch moves: copies the commits of submodules that the main
 * worktree lacks. */
int merge_bring_modules(const struct merge *m, struct err *err);

/* The worktree that has into checked out. */
struct target {
	git_repository *git; /* NULL: no worktree has */
	char *path;
	char *index_file;	/* git's index for it */
	struct index_lock lock; /* git's lock, held to the end */
	struct index_lock new;	/* not yet the index */
	bool has_index;		/* new is the index */
	git_index *index;	/* in new; in a dry run in index_file */
	git_diff *diff;		/* of the branch's old tree and its new one */
	struct sparse sparse;
	struct swap swap;
	struct strv dirty; /* what is in the way */
	bool modes;	   /* core.fileMode */
};

/* target_finish() in every case. */
int target_open(struct target *t, const struct merge *m, struct err *err);
void target_finish(struct target *t);
#define _target_ CLEANUP(target_finish)

/*
 * Updates its files and its index to m->result. First checks that each file
 * that differs is unmodified or already new, and else refuses with the files;
 * so the next run finishes one that was killed. dry_run: only checks. On
 * failure everything is as it was.
 */
int target_update(struct target *t, struct merge *m, struct err *err);

/* Fills swap, and dirty, for that. merge_check.c */
int merge_check(struct target *t, struct err *err);

/* Finishes the update, when the branch has moved. */
void target_complete(struct target *t);

/* Restores the old files and the old index, if the branch could not be
 * moved. */
void target_undo(struct target *t, struct err *err);

#endif
