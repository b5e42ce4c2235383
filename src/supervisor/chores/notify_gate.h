/*
 * notify_gate.h - decides when a state is worth a notice.
 *
 * A state is reported once, after it has held for a moment. If it ends and
 * returns it is the same state (a screen that is repainted, a signal that
 * contradicts another), unless it was absent for a while, the user acted, or
 * another approval is asked. The same kind is not reported twice within
 * NOTIFY_GAP_MS. Pure.
 */
#ifndef AFW_SUPERVISOR_CHORES_NOTIFY_GATE_H
#define AFW_SUPERVISOR_CHORES_NOTIFY_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "activity/question.h"
#include "session/phase.h"

#define NOTIFY_SETTLE_MS 1000  /* a state must hold this long */
#define NOTIFY_GONE_MS	 3000  /* after this long in other states it is new */
#define NOTIFY_GAP_MS	 10000 /* between two notices of the same kind */

/* Zeroed: has seen nothing. Times are monotonic ms, above 0. */
struct notify_gate {
	enum notice now;
	int64_t since;
	bool told;  /* this state, or the same one before, was reported */
	bool acted; /* the user acted after the last notice */
	int64_t told_at[NOTICE_COUNT];	 /* when it was last reported; 0: not
					    since the user acted */
	int64_t left_at[NOTICE_COUNT];	 /* when that ended; 0: it has not */
	char question[QUESTION_ID_SIZE]; /* the approval seen last, or "" */
};

/* Sets the current state; NOTICE_NONE for states that are not reported.
 * question: the id of the approval that is up, or "". */
void notify_gate_update(struct notify_gate *g, enum notice n,
			const char *question, int64_t now);

/* The user typed or sent something: the next state is new. */
void notify_gate_acted(struct notify_gate *g);

/*
 * Returns the notice that is due now, each one once; otherwise NOTICE_NONE, and
 * in *next_ms after how long to call again (-1: not before the next
 * notify_gate_update()).
 */
enum notice notify_gate_due(struct notify_gate *g, int64_t now,
			    int64_t *next_ms);

#endif
