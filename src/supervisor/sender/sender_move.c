/* sender_move.c - what waits, in another order. */
#include "supervisor/sender/sender_internal.h"

static int keep_order(const struct sender *s, int64_t id, int64_t before,
		      struct err *err)
{
	int64_t ids[QUEUE_MAX];
	size_t n = 0;

	for (struct message *m = s->head; m != NULL && n < QUEUE_MAX;
	     m = m->next)
		ids[n++] = m->id;
	queue_move(ids, n, id, before);
	return s->dir ? queue_order(s->dir, ids, n, err) : 0;
}

int sender_move(struct sender *s, int64_t id, int64_t before, struct err *err)
{
	struct message *m = sender_waiting(s, id, err), **at = &s->head,
		       *other = m ? sender_waiting(s, before, err) : NULL;

	if (other == NULL || keep_order(s, id, before, err) < 0)
		return -1;
	if (m == other)
		return 0;
	sender_unlink(s, m);
	if (other == s->head)
		sender_forget_wait(s);
	while (*at != other)
		at = &(*at)->next;
	m->next = other;
	*at = m;
	if (!s->stopped)
		sender_later(s, 0);
	return 0;
}
