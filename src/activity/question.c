/* question.c - gives ids to the approvals that are found on the screen. */
#include "activity/question.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void question_init(struct question *q, const char *session_id,
		   int64_t started_at)
{
	*q = (struct question){.over = true};
	snprintf(q->seed, sizeof q->seed, "%s %" PRId64, session_id,
		 started_at);
}

bool question_update(struct question *q, const struct approval *a, bool other,
		     int64_t now)
{
	char text[sizeof q->seed + 32], hex[SHA256_HEX_SIZE];
	bool was = q->up, is_new;

	q->up = a != NULL;
	if (a == NULL) {
		if (was)
			q->gone_at = now;
		q->over = (!was && q->over) || other;
		return was;
	}
	is_new = memcmp(a->digest, q->approval.digest, SHA256_SIZE) != 0 ||
		 (!was && (q->over || now - q->gone_at >= QUESTION_BLINK_MS));
	q->approval = *a;
	if (was && !is_new)
		return false;
	q->since = now;
	if (is_new) {
		snprintf(text, sizeof text, "%s %" PRId64, q->seed, ++q->count);
		sha256_hex(text, strlen(text), hex);
		snprintf(q->id, sizeof q->id, "%.*s", QUESTION_ID_SIZE - 1,
			 hex);
	}
	return true;
}

bool question_is_gone(const struct question *q, const char *id, int64_t now,
		      int64_t *again)
{
	*again = -1;
	if (strcmp(q->id, id) != 0)
		return true;
	if (q->up)
		return false;
	*again = q->gone_at + QUESTION_BLINK_MS;
	return q->over || now >= *again;
}
