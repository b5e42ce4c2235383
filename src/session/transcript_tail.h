/*
 * transcript_tail.h - reads a transcript on and on, while it is written.
 *
 * Follows the change from one half to the next. Reads and never blocks.
 */
#ifndef AFW_SESSION_TRANSCRIPT_TAIL_H
#define AFW_SESSION_TRANSCRIPT_TAIL_H

#include <stddef.h>
#include <stdint.h>

struct transcript_tail;

/* At the oldest event. Where there is no transcript yet that is no failure:
 * it may come. */
struct transcript_tail *transcript_tail_open(const char *session_dir);
void transcript_tail_close(struct transcript_tail *t); /* NULL is fine */

/*
 * Calls fn for every event that was not told yet, oldest first. t_ms is since
 * the first header; kind is 'o', 'r', 'm' or 'e', or 'h' with data "COLSxROWS"
 * where a half begins; data has a NUL behind it and never one inside. Returns
 * how many events there were, or what fn returned (not 0) to end it.
 */
typedef int (*transcript_fn)(void *ctx, int64_t t_ms, char kind,
			     const char *data, size_t len);
int transcript_tail_next(struct transcript_tail *t, transcript_fn fn,
			 void *ctx);

/* The errno of a read that failed, 0: none has. */
int transcript_tail_failed(const struct transcript_tail *t);

/* Wall-clock ms of t_ms 0; 0 while nothing was read. */
int64_t transcript_tail_start_ms(const struct transcript_tail *t);

#endif
