/*
 * json_lines.h - JSON objects as lines, in on descriptor 0 and out on 1.
 *
 * What a reader has not taken is kept up to JSON_LINES_OUT_MAX; then nothing
 * more is read until it has. What is sent meanwhile waits in its pipe, as if we
 * were not between.
 */
#ifndef AFW_SUPERVISOR_HEADLESS_JSON_LINES_H
#define AFW_SUPERVISOR_HEADLESS_JSON_LINES_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/loop.h"
#include "wire/protocol.h"

#define JSON_LINES_OUT_MAX ((size_t)1024 * 1024)
#define JSON_LINES_IN_MAX  ((size_t)PROTOCOL_TEXT_MAX) /* bytes of a line */

struct json_lines {
	/* What the owner sets. */
	void *ctx;
	/* A line came; o is NULL with err where it is no object. */
	void (*taken)(void *ctx, const cJSON *o, const struct err *err);
	/* Whether they are full has perhaps changed. */
	void (*flow)(void *ctx);
	/* No more lines come, or nobody reads ours; perhaps called again. */
	void (*hung_up)(void *ctx);

	/* Its own. */
	struct loop_io *in_io, *out_io; /* in_io NULL: it has ended */
	struct buf in, out;
	size_t out_at; /* so much of out is written */
	bool too_long; /* the line that is being read */
	bool in_ended, reader_gone, closing, late;
	struct loop_timer *farewell;
};

/* -1 with err where descriptor 0 cannot be waited for. */
int json_lines_open(struct json_lines *l, struct loop *loop, struct err *err);
void json_lines_finish(struct json_lines *l);

void json_lines_put(struct json_lines *l, const cJSON *o);
/* Whoever prints must wait. */
bool json_lines_are_full(const struct json_lines *l);

/* No more is read or put. */
void json_lines_close(struct json_lines *l);
/* After that: all has been written, or nobody reads it. */
bool json_lines_are_done(const struct json_lines *l);

#endif
