/*
 * workspace.h - makes the workspace for a start with "repo": a clone, if the
 * repository is elsewhere, and in it a session of afw, by `afw new`.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_WORKSPACE_H
#define AFW_SUPERVISOR_HEADLESS_WORKSPACE_H

#include <cjson/cJSON.h>

#include <stdbool.h>

#include "base/child.h"
#include "base/err.h"
#include "base/mem.h"

struct workspace;

struct workspace_start {
	struct children *children; /* runs git and afw as children of these */
	const cJSON *rq;	   /* the request */
	const struct strv *argv;   /* the agent's command or arguments */
	const struct strv *env;	   /* for `afw new`, "K=V" */
	const struct strv *secret; /* for git: the same with secrets */
	int64_t timeout_ms;	   /* for each program */

	void *ctx;
	/* The session id exists, and its lock is free. reused: it was there
	 * before, and is kept whatever happens. */
	void (*ready)(void *ctx, const char *id, bool reused);
	/* Everything made was removed, or err's hint says what is left. */
	void (*failed)(void *ctx, const struct err *err);
};

/* Starts to make it; copies what st points to. ready() or failed() follows,
 * unless it returns NULL with err: then nothing was made. Does not block. */
struct workspace *workspace_create(const struct workspace_start *st,
				   struct err *err);
/* Cancels it: failed() follows soon. Does nothing after ready(). */
void workspace_cancel(struct workspace *w);

/* After ready(): removes the session, whose lock must be free, and the clone,
 * unless the session is reused. Adds a hint about what is left to err, which is
 * already set. Blocks. */
void workspace_remove(const struct workspace *w, const char *id,
		      struct err *err);

void workspace_destroy(struct workspace *w); /* NULL is allowed */

#endif
