/*
 * send_wait.c - what a message that cannot go in now does about it.
 *
 * A busy harness is waited for, in the queue. Where a person has to act, a
 * message that has just come is refused, and one that was told "queued"
 * goes on waiting. Every wait ends some time.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>

void send_tell_queued(struct sender *s, struct message *m, const char *why)
{
	char text[SEND_DETAIL] = "";
	struct err err = {0};

	if (m->told)
		return;
	m->told = true;
	if (s->ops->keep != NULL && send_keep(s, m, &err) < 0)
		snprintf(text, sizeof text, "%.60s; not kept on disk: %.150s",
			 why, err.what);
	send_tell(s, m, RECEIPT_QUEUED, text[0] ? text : why);
}

static bool refuse_now(struct sender *s, const char *why)
{
	send_finish(s, RECEIPT_REFUSED, why);
	return true;
}

bool send_fail(struct sender *s, const char *why)
{
	send_finish(s, RECEIPT_FAILED, why);
	return true;
}

static bool wait_start(struct sender *s, struct message *m, int64_t now,
		       const char *why)
{
	int64_t from =
	    m->taken_at > s->start_from ? m->taken_at : s->start_from;
	int64_t left = from + s->ready_timeout_ms - now;
	char detail[SEND_DETAIL];

	/* Who gave a first task does not wait for its receipt: it is no loss
	 * that it waits, and one that it is gone. */
	if (left <= 0 && !(m->flags & (SENDER_FIRST_TASK | SENDER_WHEN_IDLE))) {
		snprintf(detail, sizeof detail,
			 "%s was not ready for a message after %d s",
			 s->adapter->title, s->ready_timeout_ms / 1000);
		return send_fail(s, detail);
	}
	send_tell_queued(s, m, why);
	send_later(s, left > 0 && left < SEND_WAIT_POLL_MS ? left
							   : SEND_WAIT_POLL_MS);
	return false;
}

/* A person has to act. Who has been told "queued" goes on waiting. */
static bool wait_person(struct sender *s, struct message *m, int64_t now,
			const char *why)
{
	s->start_from = now; /* a start does not time out meanwhile */
	if (!m->told && !(m->flags & (SENDER_FIRST_TASK | SENDER_WHEN_IDLE)))
		return refuse_now(s, why);
	send_tell_queued(s, m, why);
	return false;
}

bool send_wait_for_keys(struct sender *s, struct message *m)
{
	static const char why[] = "tmux does not say whether somebody types";

	if (s->unanswered_at == 0 ||
	    send_now(s) - s->unanswered_at < SEND_UNANSWERED_MS)
		return false;
	snprintf(s->waits_for, sizeof s->waits_for, "%s", why);
	if (!m->told && !(m->flags & (SENDER_FIRST_TASK | SENDER_WHEN_IDLE)))
		return send_fail(s, why);
	send_tell_queued(s, m, why);
	return false;
}

bool send_wait_for(struct sender *s, struct message *m, enum obstacle o,
		   int64_t now, const char *why)
{
	int64_t blocked;

	if (o != s->blocked_by || s->blocked_since == 0)
		s->blocked_since = now;
	s->blocked_by = o;
	s->free_since = 0;
	blocked = now - s->blocked_since;
	snprintf(s->waits_for, sizeof s->waits_for, "%s", why);
	send_later(s, SEND_WAIT_POLL_MS);

	if (now - m->taken_at >= SEND_QUEUE_MS)
		return send_fail(s, "it waited too long");
	switch (o) {
	case OBSTACLE_OWN_DRAFT: /* clearing did not help */
	case OBSTACLE_DRAFT:
	case OBSTACLE_QUESTION:
	case OBSTACLE_PASSWORD:
		return wait_person(s, m, now, why);
	case OBSTACLE_STARTING:
		return wait_start(s, m, now, why);
	case OBSTACLE_BUSY:
		send_tell_queued(s, m, why);
		return false;
	case OBSTACLE_ABSENT:
		if (blocked >= SEND_ABSENT_MS && !m->told &&
		    !(m->flags & (SENDER_FIRST_TASK | SENDER_WHEN_IDLE)))
			return refuse_now(s, why);
		if (m->flags & SENDER_WHEN_IDLE)
			send_tell_queued(s, m, why);
		break;
	case OBSTACLE_TYPING:
		send_later(s, s->typed_at + SEND_TYPING_MS - now);
		break;
	case OBSTACLE_SETTLING:
		send_later(s, s->entered_at + SEND_TURN_GAP_MS - now);
		break;
	case OBSTACLE_STRAY:
	case OBSTACLE_SEEMS_BUSY:
	case OBSTACLE_BACKLOG:
	case OBSTACLE_NONE:
		break;
	}
	if (blocked >= SEND_SOFT_MS && o != OBSTACLE_ABSENT)
		send_tell_queued(s, m, why);
	else if (!m->told)
		send_later(s, SEND_SOFT_MS - blocked);
	return false;
}
