/*
 * operations.h - the operations of afw-worktree(8), one function each.
 *
 * What their requests and answers hold is in wire/worktree_client.h. Each
 * reads req, fills answer (an empty object) and returns 0, or returns -1
 * with err filled and nothing changed on disk. repo_init() comes first.
 */
#ifndef AFW_WORKTREES_OPERATIONS_H
#define AFW_WORKTREES_OPERATIONS_H

#include "worktrees/output.h"

int worktree_discover(struct output *out, const cJSON *req, cJSON *answer,
		      struct err *err);

/* Writes its answer itself: it is undone where nobody takes it. */
int worktree_create(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err);

int worktree_status(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err);

int worktree_diff(struct output *out, const cJSON *req, cJSON *answer,
		  struct err *err);

/* turn.h. What was known of the turn before is forgotten in every case. */
int worktree_turn(struct output *out, const cJSON *req, cJSON *answer,
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
 * One request line to its answer line. Returns the exit code. Answers bad
 * requests too.
 */
int worktree_request(struct output *out, const char *line, size_t len);

#endif
