/*
 * transcript_tail.h - reads a transcript on and on, while it is written.
 *
 * Follows the change from one half to the next. Reads and never blocks.
 */
#ifndef AFW_SESSION_DISK_TRANSCRIPT_TAIL_H
#define AFW_SESSION_DISK_TRANSCRIPT_TAIL_H

#include <stddef.h>
#include <stdint.h>

#include "session/disk/follow.h"

/* Zeroed, its file opened and closed by the caller. */
struct transcript_tail {
	struct follow file; /* "transcript" */
	int64_t start_ms;   /* wall, of t_ms 0; 0 while nothing was read */
	int64_t half_ms;    /* of the half that is read */
};

/*
 * Calls fn for every event that was not told yet, oldest first. t_ms is since
 * the first header; kind is 'o', 'r', 'm' or 'e', or 'h' with data "COLSxROWS"
 * where a half begins; data has a NUL behind it and never one inside. Returns
 * 0, or what fn returned (not 0) to end it.
 */
typedef int (*transcript_fn)(void *ctx, int64_t t_ms, char kind,
			     const char *data, size_t len);
int transcript_tail_next(struct transcript_tail *t, transcript_fn fn,
			 void *ctx);

#endif
