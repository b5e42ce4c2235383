/*
 * answer.h - answers an approval with the keys that its harness takes for
 * "yes, this once" or "no" (afw send --approve, --deny).
 *
 * Before each key, in the same turn of the loop, all that the harness has
 * printed is read and the screen looked at: the very approval that the answer
 * is for has to be there, and the option's own text with it. Afterwards it has
 * to go. One answer at a time.
 *
 * answer_press() is the only place that types, and pending_gone() the only sign
 * that it was taken: a harness that can be answered by a call of its own needs
 * another way there, and nothing else.
 */
#ifndef AFW_SUPERVISOR_ANSWER_H
#define AFW_SUPERVISOR_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/approval.h"
#include "supervisor/pending.h"

struct peer;
struct supervisor;

/* What a peer waits for. */
struct answer {
	int64_t seq; /* of the request; 0: nobody waits */
	struct loop_timer *timer;
	bool approve;
	char id[PENDING_ID_SIZE];
	char question[READING_TEXT];
	char keys[APPROVAL_KEYS];
	size_t at;		   /* pressed so far, in keys */
	int64_t deadline, next_at; /* monotonic ms */
};

#endif
