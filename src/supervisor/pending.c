/* pending.c - ids for approvals, from what looks at the screen find. */
#include "supervisor/pending.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

void pending_init(struct pending *q, const char *session_id, int64_t started_at)
{
	*q = (struct pending){.over = true};
	snprintf(q->seed, sizeof q->seed, "%s %" PRId64, session_id,
		 started_at);
}

static void name_it(struct pending *q)
{
	char text[sizeof q->seed + 32 + SHA256_SIZE], hex[SHA256_HEX_SIZE];
	int n = snprintf(text, sizeof text - SHA256_SIZE, "%s %" PRId64 " ",
			 q->seed, ++q->count);

	memcpy(text + n, q->approval.digest, SHA256_SIZE);
	sha256_hex(text, (size_t)n + SHA256_SIZE, hex);
	snprintf(q->id, sizeof q->id, "%.*s", PENDING_ID_SIZE - 1, hex);
}

static bool same(const struct approval *a, const struct approval *b)
{
	return memcmp(a->digest, b->digest, SHA256_SIZE) == 0;
}

static void went(struct pending *q, int64_t now)
{
	memcpy(q->last_id, q->id, sizeof q->last_id);
	q->id[0] = '\0';
	q->up = false;
	q->over = false;
	q->gone_at = now;
}

bool pending_look(struct pending *q, const struct approval *a, bool other,
		  int64_t now)
{
	bool was = q->up, is_new;

	if (a == NULL) {
		if (was)
			went(q, now);
		q->over = q->over || other;
		return was;
	}
	is_new = !same(a, &q->approval) ||
		 (!was && (q->over || now - q->gone_at >= PENDING_BLINK_MS));
	q->approval = *a;
	if (was && !is_new)
		return false;
	if (is_new)
		name_it(q);
	else
		memcpy(q->id, q->last_id, sizeof q->id);
	q->up = true;
	q->since = now;
	return true;
}

bool pending_gone(const struct pending *q, const char *id, int64_t now,
		  int64_t *again)
{
	*again = -1;
	if (q->up)
		return strcmp(q->id, id) != 0;
	if (q->over || strcmp(q->last_id, id) != 0 ||
	    now - q->gone_at >= PENDING_BLINK_MS)
		return true;
	*again = q->gone_at + PENDING_BLINK_MS;
	return false;
}
