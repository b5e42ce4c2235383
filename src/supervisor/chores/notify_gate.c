/* notify_gate.c - decides when a state is worth a notice. */
#include "supervisor/chores/notify_gate.h"

#include <stdio.h>
#include <string.h>

/* Returns whether this approval directly follows another. An empty id is
 * ignored: it may not be known yet, or be missing for a moment. */
static bool is_next(struct notify_gate *g, const char *question)
{
	bool next = g->question[0] && strcmp(g->question, question) != 0;

	if (question[0] == '\0')
		return false;
	snprintf(g->question, sizeof g->question, "%s", question);
	return next;
}

void notify_gate_update(struct notify_gate *g, enum notice n,
			const char *question, int64_t now)
{
	bool next = n == NOTICE_WAITING && is_next(g, question);

	if (n == g->now) {
		if (next) {
			g->since = now;
			g->told = false;
		}
		return;
	}
	if (g->told && !g->acted)
		g->left_at[g->now] = now;
	g->now = n;
	g->since = now;
	g->told = n != NOTICE_NONE && !next && g->left_at[n] &&
		  now - g->left_at[n] < NOTIFY_GONE_MS;
}

void notify_gate_acted(struct notify_gate *g)
{
	g->acted = true;
	memset(g->told_at, 0, sizeof g->told_at);
	memset(g->left_at, 0, sizeof g->left_at);
}

enum notice notify_gate_due(struct notify_gate *g, int64_t now,
			    int64_t *next_ms)
{
	int64_t due = g->since + NOTIFY_SETTLE_MS;

	*next_ms = -1;
	if (g->now == NOTICE_NONE || g->told)
		return NOTICE_NONE;
	if (g->told_at[g->now] && due < g->told_at[g->now] + NOTIFY_GAP_MS)
		due = g->told_at[g->now] + NOTIFY_GAP_MS;
	if (now < due) {
		*next_ms = due - now;
		return NOTICE_NONE;
	}
	g->told = true;
	g->acted = false;
	g->told_at[g->now] = now;
	/* Another kind was reported in between, so earlier kinds may be
	 * reported again. */
	memset(g->left_at, 0, sizeof g->left_at);
	return g->now;
}
