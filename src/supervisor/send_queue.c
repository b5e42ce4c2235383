/*
 * send_queue.c - the messages that wait, for who looks at them, and on disk.
 */
#include "supervisor/send_internal.h"

int send_keep(struct sender *s, struct message *m, struct err *err)
{
	if (m->kept)
		return 0;
	if (s->ops->keep == NULL)
		return err_set(err, ERR_FAILED, "nothing is kept here");
	if (s->ops->keep(s->ctx, m->id, m->flags, m->text, m->len, err) < 0)
		return -1;
	m->kept = true;
	return 0;
}

/* From here on its text may stand in the composer. */
static bool is_typed(const struct sender *s, const struct message *m)
{
	return m == s->head && s->step > STEP_CLEAR;
}

void send_forget(struct sender *s, struct message *m)
{
	struct message **at = &s->head;

	if (m == s->head) {
		s->step = STEP_WAIT;
		s->free_since = 0;
		s->blocked_since = 0;
		s->unanswered_at = 0;
		s->waits_for[0] = '\0';
	}
	while (*at != m)
		at = &(*at)->next;
	*at = m->next;
	if (m->next == NULL)
		s->tail = at;
	s->count--;
	s->bytes -= m->len;
	send_message_free(m);
}

bool sender_needs_person(const struct sender *s)
{
	int64_t held;

	if (s->head == NULL || s->step != STEP_WAIT || s->blocked_since == 0)
		return false;
	held = s->ops->now(s->ctx) - s->blocked_since;
	if (s->blocked_by == OBSTACLE_STRAY)
		return held >= SEND_SILENT_MS;
	return s->blocked_by == OBSTACLE_ABSENT
		   ? held >= SEND_ABSENT_MS
		   : s->blocked_by > OBSTACLE_ABSENT && held >= SEND_PERSON_MS;
}

void sender_list(const struct sender *s,
		 void (*fn)(void *ctx, const struct sender_waiting *w),
		 void *ctx)
{
	int64_t now = s->ops->now(s->ctx);

	for (const struct message *m = s->head; m != NULL; m = m->next)
		fn(ctx, &(struct sender_waiting){
			    .id = m->id,
			    .waited_ms = now - m->taken_at + m->waited_ms,
			    .flags = m->flags,
			    .typing = is_typed(s, m),
			    .text = m->text,
			    .len = m->len,
			});
}

int sender_cancel(struct sender *s, int64_t id, struct err *err)
{
	struct message *m = s->head;

	while (m != NULL && m->id != id)
		m = m->next;
	if (m == NULL) {
		err_set(err, ERR_CONFLICT, "message %lld is none that waits",
			(long long)id);
		return err_hint(err, "`afw send --list` shows what waits");
	}
	if (is_typed(s, m))
		return err_set(err, ERR_CONFLICT, "message %lld is being typed",
			       (long long)id);
	send_forget(s, m);
	s->ops->receipt(s->ctx, id, RECEIPT_FAILED, true, SEND_CANCELLED);
	if (!s->stopped)
		send_later(s, 0);
	return 0;
}

void sender_count_from(struct sender *s, int64_t last)
{
	if (last > s->last_id)
		s->last_id = last;
}

int64_t sender_last(const struct sender *s)
{
	return s->last_id;
}
