/*
 * notify_gate.h - when a state is news.
 *
 * A state that is worth a notice is told once, when it has held for a moment.
 * One that goes and comes back is the same (a screen that is repainted, a
 * signal that contradicts another), unless it was gone for a while or the
 * user had a hand in it, or it asks for another approval; and no kind is told
 * twice within GAP. Pure.
 */
#ifndef AFW_SUPERVISOR_CHORES_NOTIFY_GATE_H
#define AFW_SUPERVISOR_CHORES_NOTIFY_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "activity/question.h"
#include "session/phase.h"

#define NOTIFY_SETTLE_MS 1000  /* so long it must hold */
#define NOTIFY_GONE_MS	 3000  /* after so long elsewhere it is a new one */
#define NOTIFY_GAP_MS	 10000 /* between two of a kind */

/* A zeroed one has seen nothing. Times are monotonic ms, above 0. */
struct notify_gate {
	enum notice now;
	int64_t since;
	bool told;			 /* this one, or an earlier same */
	bool acted;			 /* the user did, since one was told */
	int64_t told_at[NOTICE_COUNT];	 /* 0: not since the user acted */
	int64_t left_at[NOTICE_COUNT];	 /* the told one ended; 0: it has not */
	char question[QUESTION_ID_SIZE]; /* the approval seen last, or "" */
};

/* What it is now; NOTICE_NONE for all that is not told. question: the id of
 * the approval that is up, or "". */
void notify_gate_see(struct notify_gate *g, enum notice n, const char *question,
		     int64_t now);

/* The user typed, or sent something: what comes now is new. */
void notify_gate_acted(struct notify_gate *g);

/*
 * What is to be told now, once; else NOTICE_NONE and in *next_ms after how
 * long to ask again (-1: not before something is seen).
 */
enum notice notify_gate_due(struct notify_gate *g, int64_t now,
			    int64_t *next_ms);

#endif
