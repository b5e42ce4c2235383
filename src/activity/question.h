/*
 * question.h - the approval that is on the screen now, and its id.
 *
 * An id names one approval: it stays while that is up, over redraws, resizes
 * and keys that only move the menu's marker; the same question asked again
 * has another one. Pure: no I/O, no clock; now is monotonic ms.
 */
#ifndef AFW_ACTIVITY_QUESTION_H
#define AFW_ACTIVITY_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/screen/approval.h"

#define QUESTION_ID_SIZE  9   /* hex digits and NUL */
#define QUESTION_BLINK_MS 400 /* a redraw may take it away for so long */

struct question {
	bool up;
	struct approval approval;
	char id[QUESTION_ID_SIZE]; /* its, or the last one's; or "" */
	int64_t since;		   /* up since then */
	bool by_rule; /* a rule answers it: whoever presses the keys says so */
	/* When it is not up. */
	bool over; /* something else has stood in its place */
	int64_t gone_at;
	int64_t count;
	char seed[80];
};

/* session_id and started_at make ids of two sessions, or lives, differ. */
void question_init(struct question *q, const char *session_id,
		   int64_t started_at);

/*
 * What a look at the screen found: an approval, or NULL. other: what stands
 * there instead is no half-drawn screen (a composer, work). True where the id
 * has changed.
 */
bool question_look(struct question *q, const struct approval *a, bool other,
		   int64_t now);

/* Whether the approval with id is gone for good, not only for a redraw.
 * *again: ask again at that time, where it is not; -1: when the screen has
 * changed. */
bool question_is_gone(const struct question *q, const char *id, int64_t now,
		      int64_t *again);

#endif
