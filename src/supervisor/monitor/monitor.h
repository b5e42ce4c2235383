/*
 * monitor.h - watches what the harness prints, and keeps its screen, readings
 * and verdict up to date. Connects the pure parts to the loop.
 */
#ifndef AFW_SUPERVISOR_MONITOR_MONITOR_H
#define AFW_SUPERVISOR_MONITOR_MONITOR_H

#include "supervisor/part.h"

/* How fast a harness may report about itself, by hooks or on its terminal: each
 * report may be written to disk and sent to subscribers. Faster hooks stay in
 * the FIFO; of a faster title or status only the last one is used. No harness
 * was seen to exceed it. */
#define MONITOR_PACE ((struct pace){.burst = 200, .per_second = 50})

/* Handles an event that the harness has reported: a hook (door.c). payload may
 * be NULL. The adapter interprets it. */
void monitor_event(struct supervisor *sv, const char *event,
		   const cJSON *payload);

/* Passes what was done to the harness to all parts. */
void monitor_acted(struct supervisor *sv, enum act what, unsigned keys);

/* The interrupt's key was not pressed after all: undoes ACT_INTERRUPT. */
void monitor_not_interrupted(struct supervisor *sv);

/* Reads what the harness has printed until now, without blocking and bounded,
 * and updates the screen. The harness may have ended by then (sv->terminal
 * NULL). */
void monitor_refresh(struct supervisor *sv);

/* Computes the verdict from all signals and publishes what has changed, unless
 * the harness is being ended. */
void monitor_update(struct supervisor *sv);
/* Returns whether nothing that is published has changed. */
bool monitor_is_same(const struct verdict *a, const struct verdict *b);
/* Returns whether it is idle: a turn has ended, or waits for the user. */
bool monitor_is_idle(const struct supervisor *sv);

#endif
