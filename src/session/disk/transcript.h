/*
 * transcript.h - the terminal's output with its times, in files of bounded
 * size.
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
 * Output is buffered until it is 64 KiB or transcript_flush() is called (the
 * supervisor calls it after a moment without output). A character that is split
 * over two calls is kept whole. If a write fails (disk full), the transcript
 * ends and the session continues; transcript_failed() then returns the reason.
 */
void transcript_output(struct transcript *t, const char *data, size_t len);
void transcript_resize(struct transcript *t, int cols, int rows);
void transcript_marker(struct transcript *t, const char *label);
void transcript_flush(struct transcript *t);

/*
 * For a recording that will be replayed: from now on each read of the terminal
 * has its own time (reads within 5 ms share one), and transcript_event()
 * records other input as an event of kind 'e' whose data is one JSON object;
 * asciicast players ignore such events.
 */
void transcript_exact(struct transcript *t);
void transcript_event(struct transcript *t, const char *json);

const char *transcript_failed(const struct transcript *t); /* or NULL */

/*
 * Reads a transcript while it is written, across its halves; never blocks. The
 * caller zeroes it, and opens and closes its file.
 */
struct transcript_tail {
	struct follow file; /* "transcript" */
	int64_t start_ms;   /* wall, of t_ms 0; 0 while nothing was read */
	int64_t half_ms;    /* of the half that is read */
};

/*
 * Calls fn for each new event, oldest first. t_ms is since the first header;
 * kind is 'o', 'r', 'm' or 'e', or 'h' with data "COLSxROWS" at the start of a
 * half; data ends with a NUL and has no other. Returns 0, or the value (not 0)
 * with which fn stopped it.
 */
typedef int (*transcript_fn)(void *ctx, int64_t t_ms, char kind,
			     const char *data, size_t len);
int transcript_tail_next(struct transcript_tail *t, transcript_fn fn,
			 void *ctx);

#endif
