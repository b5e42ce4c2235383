/*
 * worktree_child.h - asks afw-worktree(8) about the session's own worktree,
 * without blocking.
 */
#ifndef AFW_SUPERVISOR_WORKTREE_CHILD_H
#define AFW_SUPERVISOR_WORKTREE_CHILD_H

#include "supervisor/supervisor.h"
#include "wire/worktree_request.h"

/* Starts it with the request. Returns NULL with err if that fails. */
struct child *worktree_child_start(struct supervisor *sv,
				   struct worktree_request request,
				   int64_t deadline_ms, child_ended_fn ended,
				   void *ctx, struct err *err);

/* For use in ended(): returns the answer, to be freed; NULL if there is none.
 * err is set unless the answer has "ok":true. */
cJSON *worktree_answer(const struct child_end *end, struct err *err);

#endif
