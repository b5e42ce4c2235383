/*
 * transcript.h - what the terminal printed, with times, bounded.
 *
 * asciicast v2 lines on disk (header line, then [seconds,"o","text"], "r" for
 * a resize, "m" for a marker), so that a copy of the file is already an
 * export. Two halves: when `transcript` is over half of its bound it becomes
 * `transcript.1` and a new one starts with a header of its own.
 */
#ifndef AFW_SESSION_DISK_TRANSCRIPT_H
#define AFW_SESSION_DISK_TRANSCRIPT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "session/disk/follow.h"

struct transcript;

/* Continues an existing one. */
struct transcript *transcript_open(const char *session_dir, int cols, int rows,
				   int64_t max_bytes, struct err *err);
void transcript_close(struct transcript *t); /* writes out what is held */

/*
 * Output is held until 64 KiB are together or transcript_flush() is called
 * (the supervisor does so when it has been quiet for a moment); characters
 * split over two calls are kept whole. A write that fails (disk full) stops
 * the transcript, not the session: transcript_failed() then says why.
 */
void transcript_output(struct transcript *t, const char *data, size_t len);
void transcript_resize(struct transcript *t, int cols, int rows);
void transcript_marker(struct transcript *t, const char *label);
void transcript_flush(struct transcript *t);

/*
 * For a recording that is to be replayed: from now on each read of the
 * terminal has its own time (those within 5 ms of each other together), and
 * transcript_event() keeps what else came, as an event of kind 'e' whose
 * data is one JSON object; players of asciicast leave such events out.
 */
void transcript_exact(struct transcript *t);
void transcript_event(struct transcript *t, const char *json);

const char *transcript_failed(const struct transcript *t); /* or NULL */

/*
 * Reads a transcript on and on while it is written, and follows the change from
 * one half to the next; never blocks. Zeroed, its file opened and closed by the
 * caller.
 */
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
