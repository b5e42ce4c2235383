/*
 * workspace.h - makes what a start with "repo" names: the clone of a
 * repository that is elsewhere, and in it a session of afw, by `afw new`.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_WORKSPACE_H
#define AFW_SUPERVISOR_HEADLESS_WORKSPACE_H

#include <cjson/cJSON.h>

#include "base/child.h"
#include "base/err.h"
#include "base/mem.h"

struct workspace;

struct workspace_start {
	struct children *children; /* its programs are among them */
	const cJSON *rq;	   /* the request */
	const struct strv *argv;   /* the agent's command or arguments */
	const struct strv *env;	   /* of `afw new`, "K=V" */
	const struct strv *secret; /* of git: the same with secrets */
	int64_t timeout_ms;	   /* for each program */

	void *ctx;
	/* The session id is there, and nobody holds its lock. */
	void (*ready)(void *ctx, const char *id);
	/* What was made is removed, or err's hint says what is left. */
	void (*failed)(void *ctx, const struct err *err);
};

/* What st points to is copied. One of the calls follows, unless it returns
 * NULL with err: then nothing was made. */
struct workspace *workspace_make(const struct workspace_start *st,
				 struct err *err);
/* failed() follows, soon; after ready() it does nothing. */
void workspace_cancel(struct workspace *w);

/* After ready(): removes the session, whose lock nobody holds, and the clone.
 * err, which is set, gets a hint of what is left. Blocks. */
void workspace_remove(const struct workspace *w, const char *id,
		      struct err *err);

void workspace_destroy(struct workspace *w); /* NULL does nothing */

#endif
