/*
 * question.h - the approval that is on the screen now, and its id.
 *
 * An id names one approval. It stays over redraws, resizes and keys that only
 * move the menu's marker; the same question asked again gets another id. Pure:
 * no I/O, no clock; now is monotonic ms.
 */
#ifndef AFW_ACTIVITY_QUESTION_H
#define AFW_ACTIVITY_QUESTION_H

#include <stdbool.h>
#include <stdint.h>

#include "adapters/screen/approval.h"

#define QUESTION_ID_SIZE  9   /* hex digits and NUL */
#define QUESTION_BLINK_MS 400 /* how long a redraw may hide it */

struct question {
	bool up;
	struct approval approval;
	char id[QUESTION_ID_SIZE]; /* of this or the last approval, or "" */
	int64_t since;		   /* since when it is up */
	bool by_rule; /* a rule answers it; set by the code that types the
			 answer */
	/* When it is not up. */
	bool over; /* something else was in its place */
	int64_t gone_at;
	int64_t count;
	char seed[80];
};

/* session_id and started_at make the ids of two sessions, or of two starts,
 * differ. */
void question_init(struct question *q, const char *session_id,
		   int64_t started_at);

/*
 * Stores what the screen shows: an approval, or NULL. other: the screen shows
 * something else instead (a composer, work), not a half-drawn picture. Returns
 * true if the approval has appeared, gone or changed.
 */
bool question_update(struct question *q, const struct approval *a, bool other,
		     int64_t now);

/* True if the approval with id is gone, not only hidden by a redraw. If not,
 * *again is when to call this again; -1: when the screen has changed. */
bool question_is_gone(const struct question *q, const char *id, int64_t now,
		      int64_t *again);

#endif
