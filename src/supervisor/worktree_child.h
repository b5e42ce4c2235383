/*
 * worktree_child.h - asks afw-worktree(8) about the session's own worktree,
 * without blocking.
 */
#ifndef AFW_SUPERVISOR_WORKTREE_CHILD_H
#define AFW_SUPERVISOR_WORKTREE_CHILD_H

#include <cjson/cJSON.h>

#include "supervisor/supervisor.h"

/* Starts it with the request op, for example "status", and the members of more
 * (taken; may be NULL). Returns NULL with err if it cannot be started. */
struct child *worktree_child_start(struct supervisor *sv, const char *op,
				   cJSON *more, int64_t deadline_ms,
				   child_ended_fn ended, void *ctx,
				   struct err *err);

/* For use in ended(): returns the answer, to be freed; NULL if there is none.
 * err is set unless the answer has "ok":true. */
cJSON *worktree_answer(const struct child_end *end, struct err *err);

#endif
