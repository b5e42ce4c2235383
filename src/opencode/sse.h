/*
 * sse.h - an event stream (text/event-stream) taken apart as the WHATWG's
 * HTML standard says, section 9.2.6; pure.
 *
 * Bounded: a line, and the data of one event, hold SSE_MAX bytes. What is
 * longer is skipped up to the end of the event and never reported; what
 * follows is read as usual. Bytes are not checked for UTF-8: who reads the
 * data does that.
 */
#ifndef AFW_OPENCODE_SSE_H
#define AFW_OPENCODE_SSE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

#define SSE_MAX ((size_t)1024 * 1024)

/* An event with data: its type ("message" where none was given) and its data
 * (NUL-terminated, may hold NULs). Borrowed for the call. */
typedef void (*sse_fn)(void *ctx, const char *type, const char *data,
		       size_t len);

/* A zeroed one, with fn and ctx set, is at the start of a stream. */
struct sse {
	sse_fn fn;
	void *ctx;
	struct buf line, data, type;
	bool started;	 /* a byte order mark may not come any more */
	bool after_cr;	 /* an LF now belongs to the CR before */
	bool long_line;	 /* the rest of this line is thrown away */
	bool spoiled;	 /* so is this event */
	bool has_data;	 /* a data field was there, perhaps an empty one */
	size_t dropped; /* events that were too long */
};

void sse_feed(struct sse *s, const char *data, size_t len);
void sse_finish(struct sse *s); /* frees; an event without its end is none */

#endif
