/*
 * worktree_ask.h - asks afw-worktree(8) about the session's own worktree,
 * without waiting for it.
 */
#ifndef AFW_SUPERVISOR_WORKTREE_ASK_H
#define AFW_SUPERVISOR_WORKTREE_ASK_H

#include <cjson/cJSON.h>

#include "supervisor/supervisor.h"

/* op: a request as "status". NULL with err if it cannot be started. */
struct child *worktree_ask(struct supervisor *sv, const char *op,
			   int64_t deadline_ms, child_ended_fn ended, void *ctx,
			   struct err *err);

/* For ended(): the answer, to be freed; NULL if there is none. err is set
 * unless ok is true in it. */
cJSON *worktree_answer(const struct child_end *end, struct err *err);

#endif
