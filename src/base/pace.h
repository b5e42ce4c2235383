/*
 * pace.h - a rate limit: allows a burst, then a fixed number per second. Pure.
 */
#ifndef AFW_BASE_PACE_H
#define AFW_BASE_PACE_H

#include <stdint.h>

/* Starts zeroed, with burst and per_second (1 to 1000) set. */
struct pace {
	int burst, per_second;
	int64_t due_ms; /* when everything so far would be done, one by one */
};

/* Counts one event at now (monotonic ms). Returns after how many ms the next
 * one is allowed; 0: at once. */
int64_t pace_took(struct pace *p, int64_t now);

#endif
