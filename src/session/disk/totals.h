/* totals.h - what a session's history adds up to (event_log.h). */
#ifndef AFW_SESSION_DISK_TOTALS_H
#define AFW_SESSION_DISK_TOTALS_H

#include <stdbool.h>
#include <stdint.h>

struct totals {
	int events, turns; /* turns: that have ended */
	int checks, passed;
	int continued; /* after a limit, without the user */
	int landed;    /* how often afw land has merged it */
	int undone;    /* turns; without those that were redone */
	bool exited;   /* the agent ended by itself, with code 0 */
	/* totals_worked_ms() has the sum: */
	int64_t worked_ms;   /* in activity working, until it ended */
	int64_t works_since; /* wall ms; still at the last event; else 0 */
	int64_t from, last;  /* wall ms; last: the last event's */
};

/* Adds up the events since from (wall ms; 0: all). Returns 0, or the errno of a
 * read that failed: then some are missing. */
int totals_read(struct totals *h, const char *session_dir, int64_t from);

/* Returns whether a turn ends when this activity is reported. */
bool totals_is_end(const char *activity);

/* Returns how long its agent was in activity working; alive: it may be until
 * now. */
int64_t totals_worked_ms(const struct totals *h, bool alive);

#endif
