/*
 * send.c - the queue of messages, and the way in and out.
 *
 * A submit only checks and queues; everything that types happens in
 * send_run() (send_step.c), which each event and the one timer lead to. So
 * a receipt never overtakes the reply to the submit, and there is one place
 * that decides what happens next.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "supervisor/send_text.h"

static const struct {
	const char *name;
	enum err_kind code;
} receipts[] = {
    [RECEIPT_QUEUED] = {"queued", ERR_NONE},
    [RECEIPT_PASTED] = {"pasted", ERR_UNCONFIRMED},
    [RECEIPT_SUBMITTED] = {"submitted", ERR_UNCONFIRMED},
    [RECEIPT_ACCEPTED] = {"accepted", ERR_NONE},
    [RECEIPT_UNCONFIRMED] = {"unconfirmed", ERR_UNCONFIRMED},
    [RECEIPT_REFUSED] = {"refused", ERR_REFUSED},
    [RECEIPT_FAILED] = {"failed", ERR_FAILED},
};

const char *receipt_name(enum receipt r)
{
	return receipts[r].name;
}

enum err_kind receipt_code(enum receipt r)
{
	return receipts[r].code;
}

struct sender *sender_create(const struct adapter *adapter,
			     const struct rules *rules,
			     const struct sender_ops *ops, void *ctx)
{
	struct sender *s = mem_alloc(sizeof *s);

	s->adapter = adapter;
	s->rules = rules;
	s->ops = ops;
	s->ctx = ctx;
	s->tail = &s->head;
	s->may_send_busy = adapter_may_send_busy(adapter, rules);
	s->enter_delay_ms = adapter_enter_delay_ms(adapter, rules);
	s->ready_timeout_ms = adapter_ready_timeout_ms(adapter, rules);
	s->start_from = ops->now(ctx);
	return s;
}

static void message_free(struct message *m)
{
	free(m->text);
	free(m);
}

void sender_destroy(struct sender *s)
{
	if (s == NULL)
		return;
	while (s->head != NULL) {
		struct message *m = s->head;

		s->head = m->next;
		message_free(m);
	}
	buf_finish(&s->payload);
	buf_finish(&s->accepted);
	buf_finish(&s->out);
	view_copy_finish(&s->before);
	free(s);
}

void send_later(struct sender *s, int64_t delay_ms)
{
	if (delay_ms < 0)
		delay_ms = 0;
	if (s->delay_ms < 0 || delay_ms < s->delay_ms)
		s->delay_ms = delay_ms;
	if (!s->running)
		s->ops->timer(s->ctx, s->delay_ms);
}

static int check_text(const struct sender *s, const struct buf *text,
		      size_t dropped, struct err *err)
{
	if (send_text_blank(text->data, text->len)) {
		if (dropped > 0)
			return err_set(err, ERR_USAGE,
				       "nothing to send: the message has only "
				       "control or invalid bytes (%zu)",
				       dropped);
		return err_set(err, ERR_USAGE,
			       "nothing to send: the message is empty");
	}
	if (s->count >= SEND_QUEUE_MAX ||
	    s->bytes + text->len > SEND_QUEUE_BYTES_MAX)
		return err_set(err, ERR_LIMIT,
			       "%zu messages with %zu bytes wait already; at "
			       "most %d and %d bytes",
			       s->count, s->bytes, SEND_QUEUE_MAX,
			       SEND_QUEUE_BYTES_MAX);
	return 0;
}

static int refuse(struct err *err, enum obstacle o, const char *why)
{
	err_set(err, ERR_REFUSED, "%s", why);
	if (o == OBSTACLE_DRAFT)
		return err_hint(err, "attach, and send or clear the draft");
	return err_hint(err, "attach and answer it first");
}

/* What stands in the way of a message that has just come? */
static int check_now(struct sender *s, const struct buf *text, unsigned flags,
		     struct err *err)
{
	char why[SEND_DETAIL];
	struct view v;
	enum obstacle o;

	if (flags & SENDER_FIRST_TASK)
		return 0;
	o = send_obstacle(s, flags, true, why);
	/* Between paste and confirmation the draft is our own. */
	if (o == OBSTACLE_DRAFT && s->head != NULL && s->step > STEP_CLEAR)
		return 0;
	if (o >= OBSTACLE_DRAFT)
		return refuse(err, o, why);
	if (s->head != NULL || (o != OBSTACLE_NONE &&
				(o != OBSTACLE_SEEMS_BUSY || !s->pasted_once)))
		return 0; /* its terminal may yet change */
	s->ops->view(s->ctx, &v);
	if (!send_fits(s, &v, text->data, text->len, flags, why)) {
		err_set(err, ERR_USAGE, "%s", why);
		return flags & SENDER_RAW
			   ? -1
			   : err_hint(err, "--raw types each line with an "
					   "Enter of its own");
	}
	return 0;
}

static void enqueue(struct sender *s, struct buf *text, unsigned flags)
{
	struct message *m = mem_alloc(sizeof *m);

	m->id = ++s->last_id;
	m->taken_at = s->ops->now(s->ctx);
	m->flags = flags;
	m->len = text->len;
	m->text = buf_steal(text);
	*s->tail = m;
	s->tail = &m->next;
	s->count++;
	s->bytes += m->len;
}

int sender_submit(struct sender *s, const char *text, size_t len,
		  unsigned flags, struct sender_taken *out, struct err *err)
{
	struct buf filtered = {0};
	int rc;

	*out = (struct sender_taken){0};
	if (s->stopped)
		return err_set(err, ERR_NOT_RUNNING,
			       "the harness is not running");
	if (len > SEND_TEXT_MAX)
		return err_set(err, ERR_LIMIT,
			       "the message has %zu bytes; at most %d can be "
			       "sent at once",
			       len, SEND_TEXT_MAX);
	if ((flags & SENDER_NOW) && !s->may_send_busy)
		return err_set(err, ERR_USAGE,
			       "%s takes no messages while it works (--now)",
			       s->adapter->title);
	out->dropped = send_text_filter(text, len, &filtered);
	rc = check_text(s, &filtered, out->dropped, err);
	if (rc == 0)
		rc = check_now(s, &filtered, flags, err);
	if (rc == 0) {
		enqueue(s, &filtered, flags);
		out->id = s->last_id;
		send_later(s, 0);
	}
	buf_finish(&filtered);
	return rc;
}

void send_tell(struct sender *s, struct message *m, enum receipt r,
	       const char *detail)
{
	s->ops->receipt(s->ctx, m->id, r, false, detail);
}

void send_finish(struct sender *s, enum receipt r, const char *detail)
{
	struct message *m = s->head;

	s->head = m->next;
	if (s->head == NULL)
		s->tail = &s->head;
	s->count--;
	s->bytes -= m->len;
	s->step = STEP_WAIT;
	s->free_since = 0;
	s->blocked_since = 0;
	s->waits_for[0] = '\0';
	buf_finish(&s->accepted);
	if (r == RECEIPT_ACCEPTED) {
		s->accepted = s->payload;
		s->payload = (struct buf){0};
	}
	buf_finish(&s->payload);
	buf_finish(&s->out);
	view_copy_finish(&s->before);
	s->ops->receipt(s->ctx, m->id, r, true, detail);
	message_free(m);
}

void sender_stop(struct sender *s, const char *reason)
{
	char detail[SEND_DETAIL];

	if (s->stopped)
		return;
	s->stopped = true;
	while (s->head != NULL) {
		bool typed = s->step > STEP_CLEAR;

		snprintf(detail, sizeof detail, "%s: %s",
			 typed ? "typed, but then" : "never typed", reason);
		send_finish(s, typed ? RECEIPT_UNCONFIRMED : RECEIPT_FAILED,
			    detail);
	}
	s->ops->timer(s->ctx, -1);
}

void sender_screen_changed(struct sender *s)
{
	if (s->head != NULL)
		send_run(s);
}

/* Does this reading confirm the message that was just submitted? */
static const char *confirms(struct sender *s, const struct reading *r)
{
	struct verdict now = {.activity = r->activity};

	if (r->turn_started) {
		if (send_text_is_prompt(s->head->text, s->head->len, r->prompt,
					sizeof r->prompt) ||
		    send_text_is_prompt(s->payload.data, s->payload.len,
					r->prompt, sizeof r->prompt))
			return source_name(r->source);
		s->mismatch = true;
		return NULL;
	}
	if (!send_is_busy(&now) || s->was_busy || s->mismatch)
		return NULL;
	return source_name(r->source);
}

void sender_reading(struct sender *s, const struct reading *r)
{
	struct verdict now = {.activity = r->activity};

	if (send_is_busy(&now) || r->turn_started)
		s->signs_seen = true;
	if (s->head == NULL)
		return;
	if (s->step == STEP_CONFIRM && s->accepted_by == NULL)
		s->accepted_by = confirms(s, r);
	send_run(s);
}

void sender_wake(struct sender *s)
{
	if (s->head != NULL || s->owes_end)
		send_run(s);
}

void sender_timer(struct sender *s)
{
	s->delay_ms = -1;
	sender_wake(s);
}

void sender_user_typed(struct sender *s)
{
	s->typed_at = s->ops->now(s->ctx);
	s->typed = true;
	if (s->head != NULL)
		send_run(s);
}

bool sender_holds_keys(const struct sender *s)
{
	return s->head != NULL && s->step == STEP_PASTE;
}

size_t sender_queued(const struct sender *s)
{
	return s->count;
}

const char *sender_waits_for(const struct sender *s)
{
	return s->waits_for;
}
