/*
 * events_tail.h - reads a session's history on and on, while it is written.
 *
 * Reads and never blocks.
 */
#ifndef AFW_SESSION_EVENTS_TAIL_H
#define AFW_SESSION_EVENTS_TAIL_H

#include <stdbool.h>

#include <cjson/cJSON.h>

struct events_tail;

/* At the oldest event. That there is no history yet is no failure. */
struct events_tail *events_tail_open(const char *session_dir);
void events_tail_close(struct events_tail *t); /* NULL is fine */

/* Takes the event o. */
typedef void (*events_tail_fn)(void *ctx, cJSON *o);

/* Calls fn for every event that was not told yet. Lines that are no objects
 * (a crash in the middle of a write) are passed over. */
void events_tail_next(struct events_tail *t, events_tail_fn fn, void *ctx);

/* The errno of a read that failed, 0: none has. */
int events_tail_failed(const struct events_tail *t);

#endif
