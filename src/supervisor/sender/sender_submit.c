/*
 * sender_submit.c - accepts a message: it is refused, becomes the message under
 * way, or is stored as a file after it. If a person has to act first, the
 * message is refused, and the error says what to do.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "session/typable.h"

static int check_text(const struct sender *s, size_t len, unsigned flags,
		      struct err *err)
{
	if (s->stopped && !(flags & SENDER_WHEN_IDLE))
		return err_set(err, ERR_NOT_RUNNING,
			       "the agent is not running");
	if (len > PROTOCOL_TEXT_MAX)
		return err_set(err, ERR_LIMIT,
			       "the message has %zu bytes; at most %d can be "
			       "sent at once",
			       len, PROTOCOL_TEXT_MAX);
	if ((flags & SENDER_NOW) &&
	    !adapter_may_send_busy(s->adapter, s->rules))
		return err_set(err, ERR_USAGE,
			       "%s takes no messages while it works (--now)",
			       s->adapter->title);
	return 0;
}

static int check_filtered(const struct buf *text, size_t dropped,
			  struct err *err)
{
	if (!typable_blank(text->data, text->len))
		return 0;
	if (dropped > 0)
		return err_set(err, ERR_USAGE,
			       "nothing to send: the message has only control "
			       "or invalid bytes (%zu)",
			       dropped);
	return err_set(err, ERR_USAGE, "nothing to send: the message is empty");
}

static int check_command(const struct sender *s, const struct buf *text,
			 unsigned flags, struct err *err)
{
	char why[SENDER_DETAIL];

	if (sender_may_be_text(s, text->data, text->len, flags, why))
		return 0;
	err_set(err, ERR_REFUSED, "%s", why);
	return err_hint(err, "`afw send --raw NAME TEXT` types it all the same "
			     "(guard = in afw-adapters(5))");
}

static int set_error_obstacle(struct err *err, enum obstacle o, const char *why)
{
	err_set(err, ERR_REFUSED, "%s", why);
	if (o == OBSTACLE_DRAFT)
		return err_hint(err, "send or clear the draft");
	if (o == OBSTACLE_OPEN)
		return err_hint(err, "close what is open there");
	if (o == OBSTACLE_PASSWORD)
		return err_hint(err, "type it there");
	if (strstr(why, READING_TRUST))
		return err_hint(err, "answer it there; `afw trust` answers it "
				     "at every later start");
	return err_hint(err, "answer it first");
}

/* Refuses a new message if an obstacle is in its way. */
static int check_now(struct sender *s, const struct buf *text, unsigned flags,
		     struct err *err)
{
	char why[SENDER_DETAIL];
	struct screen_view v;
	enum obstacle o;

	if (flags & SENDER_WHEN_IDLE)
		return 0;
	o = sender_obstacle(s, flags, true, why);
	/* Between paste and confirmation the draft is our own text. */
	if (o == OBSTACLE_DRAFT && s->step > STEP_WAIT)
		return 0;
	if (o >= OBSTACLE_DRAFT)
		return set_error_obstacle(err, o, why);
	if (s->message != NULL ||
	    (o != OBSTACLE_NONE &&
	     (o != OBSTACLE_SEEMS_BUSY || s->pasted_at == 0)))
		return 0; /* its terminal may still change */
	s->ops->view(s->ctx, &v);
	if (sender_can_type(&v, text->data, text->len, flags, why))
		return 0;
	err_set(err, ERR_USAGE, "%s", why);
	return flags & SENDER_RAW
		   ? -1
		   : err_hint(err, "--raw types each line with an Enter of its "
				   "own");
}

/* Takes m over, as the message under way or as a file. */
static int accept_message(struct sender *s, struct message *m,
			  struct sender_taken *out, struct err *err)
{
	bool waits = s->stopped || s->message != NULL;
	size_t before = sender_queued(s);
	struct err unkept = {0};

	out->id = s->last_id = m->id;
	/* Stored on disk before any client gets the reply that it was accepted.
	 */
	if ((waits || m->flags & SENDER_WHEN_IDLE) &&
	    sender_store(s, m, &unkept) < 0 && waits) {
		*err = unkept;
		message_free(m);
		return -1;
	}
	if (!waits) {
		s->message = m;
		sender_later(s, 0);
		return 0;
	}
	if (s->stopped)
		snprintf(out->waits, sizeof out->waits, SENDER_NEXT_START);
	else
		snprintf(out->waits, sizeof out->waits, "after %zu other%s",
			 before, before == 1 ? "" : "s");
	message_free(m);
	return 0;
}

int sender_submit(struct sender *s, const char *text, size_t len,
		  unsigned flags, struct sender_taken *out, struct err *err)
{
	_buf_ struct buf filtered = {0};
	int64_t id;

	*out = (struct sender_taken){0};
	if (check_text(s, len, flags, err) < 0)
		return -1;
	out->dropped = sender_filter(s, text, len, flags, &filtered);
	if (check_filtered(&filtered, out->dropped, err) < 0 ||
	    check_command(s, &filtered, flags, err) < 0 ||
	    check_now(s, &filtered, flags, err) < 0)
		return -1;
	id = queue_number(s->dir, err);
	return id < 0
		   ? -1
		   : accept_message(s, message_create(s, id, flags, &filtered),
				    out, err);
}
