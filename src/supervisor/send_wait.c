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
	if (m->told)
		return;
	m->told = true;
	send_tell(s, m, RECEIPT_QUEUED, why);
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

	if (left <= 0) {
		snprintf(detail, sizeof detail,
			 "%s was not ready for a message after %d s",
			 s->adapter->title, s->ready_timeout_ms / 1000);
		return send_fail(s, detail);
	}
	send_tell_queued(s, m, why);
	send_later(s, left);
	return false;
}

/* A person has to act. Who has been told "queued" goes on waiting. */
static bool wait_person(struct sender *s, struct message *m, int64_t now,
			const char *why)
{
	s->start_from = now; /* a start does not time out meanwhile */
	if (!m->told && !(m->flags & SENDER_FIRST_TASK))
		return refuse_now(s, why);
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
		    !(m->flags & SENDER_FIRST_TASK))
			return refuse_now(s, why);
		break;
	case OBSTACLE_TYPING:
		send_later(s, s->typed_at + SEND_TYPING_MS - now);
		break;
	case OBSTACLE_SETTLING:
		send_later(s, s->entered_at + SEND_TURN_GAP_MS - now);
		break;
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
