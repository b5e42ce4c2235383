/*
 * operations.h - the operations of afw-worktree(8), one function each.
 *
 * wire/worktree_client.h describes their requests and answers. Each reads req,
 * fills answer (an empty object) and returns 0, or returns -1 with err filled
 * and nothing changed on disk. repo_init() comes first.
 */
#ifndef AFW_WORKTREES_OPERATIONS_H
#define AFW_WORKTREES_OPERATIONS_H

#include "worktrees/output.h"

int worktree_discover(struct output *out, const cJSON *req, cJSON *answer,
		      struct err *err);

/* Writes its answer itself: the worktree is removed again if the caller does
 * not read it. */
int worktree_create(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err);

int worktree_status(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err);

int worktree_diff(struct output *out, const cJSON *req, cJSON *answer,
		  struct err *err);

int worktree_checkpoint(struct output *out, const cJSON *req, cJSON *answer,
			struct err *err);
int worktree_checkpoints(struct output *out, const cJSON *req, cJSON *answer,
			 struct err *err);

/* If it fails after the first change, everything is put back. */
int worktree_undo(struct output *out, const cJSON *req, cJSON *answer,
		  struct err *err);

int worktree_commit(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err);

int worktree_conflicts(struct output *out, const cJSON *req, cJSON *answer,
		       struct err *err);

int worktree_merge(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err);

int worktree_remove(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err);

int worktree_private(struct output *out, const cJSON *req, cJSON *answer,
		     struct err *err);

int worktree_reconcile(struct output *out, const cJSON *req, cJSON *answer,
		       struct err *err);

/* The trash: trash.c. */
int worktree_restore(struct output *out, const cJSON *req, cJSON *answer,
		     struct err *err);
int worktree_purge(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err);
int worktree_sweep(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err);

/*
 * Runs one request line and writes its answer line, for bad requests too.
 * Returns the exit code.
 */
int worktree_request(struct output *out, const char *line, size_t len);

#endif
