/*
 * json_lines.h - JSON objects as lines: input on descriptor 0, output on 1.
 *
 * Output that the reader has not taken is kept up to JSON_LINES_OUT_MAX; beyond
 * that, no input is read until the reader has caught up. The sender's data then
 * waits in its pipe, as if the two were connected directly.
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
	/* Set by the owner. */
	void *ctx;
	/* A line has come; o is NULL with err if it is not an object. */
	void (*taken)(void *ctx, const cJSON *o, const struct err *err);
	/* json_lines_are_full() may have changed. */
	void (*flow)(void *ctx);
	/* No more lines come, or the reader is gone. Can be called again. */
	void (*hung_up)(void *ctx);

	/* Private. */
	struct loop_io *in_io, *out_io; /* in_io NULL: the input has ended */
	struct buf in, out;
	size_t out_at; /* bytes of out that are written */
	bool too_long; /* the line that is being read is too long */
	bool in_ended, reader_gone, closing, late;
	struct loop_timer *farewell;
};

/* Starts reading. Fails with err if descriptor 0 cannot be polled. */
int json_lines_open(struct json_lines *l, struct loop *loop, struct err *err);
void json_lines_finish(struct json_lines *l);

void json_lines_write(struct json_lines *l, const cJSON *o);
/* Returns whether parts that print must wait. */
bool json_lines_are_full(const struct json_lines *l);

/* Stops reading and accepting output. */
void json_lines_close(struct json_lines *l);
/* After json_lines_close(): returns whether everything was written, or the
 * reader is gone. */
bool json_lines_are_done(const struct json_lines *l);

#endif
