/*
 * monitor.h - looks at what the harness prints and says what it does: screen,
 * readings, verdict, messages. The glue between the pure parts.
 */
#ifndef AFW_SUPERVISOR_MONITOR_MONITOR_H
#define AFW_SUPERVISOR_MONITOR_MONITOR_H

#include "supervisor/part.h"

/* How fast a harness may tell of itself, by hooks or on its
 * terminal: each may be written to disk, and told to who has subscribed. What
 * is faster waits where it is, or (what it shows) counts only as the last of
 * many. No harness at work was seen to be. */
#define MONITOR_PACE ((struct pace){.burst = 200, .per_second = 50})

/* An event that the harness told of itself: a hook (door.c). payload may be
 * NULL. What it means is the adapter's to say. */
void monitor_event(struct supervisor *sv, const char *event,
		   const cJSON *payload);

/* This was done to the harness: all parts are told. */
void monitor_acted(struct supervisor *sv, enum act what, unsigned keys);

/* The turn is interrupted; -1 as harness_type(). */
int monitor_interrupt(struct supervisor *sv, struct err *err);
void monitor_not_interrupted(struct supervisor *sv); /* it was not, after all */

/* Reads what the harness has printed until now, without blocking and bounded,
 * and looks at it. It may have ended by then (sv->terminal NULL). */
void monitor_refresh(struct supervisor *sv);

/* Asks all signals again and publishes what has changed, unless the harness is
 * being ended. */
void monitor_ask_verdict(struct supervisor *sv);
/* Nothing that others are told has changed. */
bool monitor_is_same(const struct verdict *a, const struct verdict *b);
/* It does nothing now: a turn has ended, or waits. */
bool monitor_is_resting(const struct supervisor *sv);

#endif
