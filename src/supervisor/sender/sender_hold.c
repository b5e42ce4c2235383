/*
 * sender_hold.c - a message that was typed and got no Enter, because something
 * came in between: it is held.
 *
 * It is in the queue again, and is typed again when the composer is empty,
 * unless a person has pressed Enter: a hook reports the text; without hooks,
 * work that begins when the text has disappeared may be on it.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>

#define HELD_TRIES 3

/* Puts the message back into the queue. */
static bool requeue(struct sender *s)
{
	struct message *m = s->message;
	struct err err = {0};

	if ((m->stored ? queue_unclaim(s->dir, m->id, &err)
		       : sender_store(s, m, &err)) < 0)
		return false;
	m->reported = true;
	m->cleared = false;
	m->tries++;
	return true;
}

bool sender_hold_back(struct sender *s, const char *why, bool asks)
{
	char detail[SENDER_DETAIL];

	if (s->line_at > 0 || s->entered_again ||
	    (!asks && s->message->tries >= HELD_TRIES) || !requeue(s))
		return sender_give_up(s, why);
	sender_record_leftover(s);
	s->leftover.held = true;
	s->own_draft = s->entered_draft = 0;
	s->step = STEP_WAIT;
	s->free_since = s->blocked_since = 0;
	snprintf(detail, sizeof detail, "held: %.240s", why);
	s->ops->receipt(s->ctx, s->message->id, RECEIPT_QUEUED, false, detail);
	return true;
}

bool sender_end_sent(struct sender *s)
{
	bool sure = s->leftover.sent == SENT_IT;

	sender_drop_leftover(s);
	return sender_end(s, sure ? RECEIPT_ACCEPTED : RECEIPT_UNCONFIRMED,
			  sure ? "a person pressed Enter"
			       : "a person has cleared it, or sent it");
}

bool sender_has_leftover(const struct sender *s, char *why)
{
	if (s->leftover.left)
		sender_describe_leftover(s, why);
	else if (sender_is_held(s) && sender_needs_person(s))
		snprintf(why, SENDER_DETAIL, "message %lld is %.200s",
			 (long long)s->leftover.id, s->waits_for);
	else
		return false;
	return true;
}
