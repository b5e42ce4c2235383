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
#include "base/typable.h"
#include "terminal/terminal.h"

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

void send_message_free(struct message *m)
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
		send_message_free(m);
	}
	send_stray_drop(s);
	buf_finish(&s->payload);
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
	if (typable_blank(text->data, text->len)) {
		if (dropped > 0)
			return err_set(err, ERR_USAGE,
				       "nothing to send: the message has only "
				       "control or invalid bytes (%zu)",
				       dropped);
		return err_set(err, ERR_USAGE,
			       "nothing to send: the message is empty");
	}
	return queue_room(s->count, s->bytes, text->len, err);
}

static int refuse(struct err *err, enum obstacle o, const char *why)
{
	err_set(err, ERR_REFUSED, "%s", why);
	if (o == OBSTACLE_DRAFT)
		return err_hint(err, "`afw attach`, and send or clear the "
				     "draft");
	if (o == OBSTACLE_PASSWORD)
		return err_hint(err, "`afw attach`, and type it there");
	return err_hint(err, "answer it first: `afw attach`, or for an "
			     "approval `afw send --approve` or `--deny`");
}

/* What stands in the way of a message that has just come? */
static int check_now(struct sender *s, const struct buf *text, unsigned flags,
		     struct err *err)
{
	char why[SEND_DETAIL];
	struct view v;
	enum obstacle o;

	if (flags & (SENDER_FIRST_TASK | SENDER_WHEN_IDLE))
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

static struct message *enqueue(struct sender *s, struct buf *text,
			       unsigned flags)
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
	return m;
}

void sender_restore(struct sender *s, int64_t id, unsigned flags,
		    int64_t waited_ms, const char *text, size_t len)
{
	struct buf copy = {0};
	struct message *m;

	typable_filter(text, len, &copy);
	s->last_id = id - 1;
	/* "Now" was meant for the harness of then; and who kept it may not
	 * have known whether this one takes it. */
	flags &= ~(unsigned)SENDER_NOW;
	m = enqueue(s, &copy, flags | SENDER_WHEN_IDLE);
	m->told = m->kept = true;
	m->waited_ms = waited_ms;
	send_later(s, 0);
}

/* What may not be lost is on disk before anybody hears that it was taken. */
static int keep_now(struct sender *s, struct message *m, struct err *err)
{
	if (!(m->flags & (SENDER_FIRST_TASK | SENDER_WHEN_IDLE)))
		return 0;
	if (send_keep(s, m, err) == 0) {
		m->told = s->stopped;
		return 0;
	}
	if (!s->stopped) {
		err_clear(err);
		return 0;
	}
	send_forget(s, m);
	return -1;
}

int sender_submit(struct sender *s, const char *text, size_t len,
		  unsigned flags, struct sender_taken *out, struct err *err)
{
	struct buf filtered = {0};
	int rc;

	*out = (struct sender_taken){0};
	if (s->stopped && !(flags & SENDER_WHEN_IDLE))
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
	out->dropped = typable_filter(text, len, &filtered);
	rc = check_text(s, &filtered, out->dropped, err);
	if (rc == 0)
		rc = check_now(s, &filtered, flags, err);
	if (rc == 0)
		rc = keep_now(s, enqueue(s, &filtered, flags), err);
	if (rc == 0) {
		out->id = s->last_id;
		out->waits = s->stopped;
		if (!s->stopped)
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
	s->unanswered_at = 0; /* the next one asks for itself */
	s->waits_for[0] = '\0';
	s->own_draft = r == RECEIPT_ACCEPTED ? s->entered_draft : 0;
	s->entered_draft = 0;
	buf_finish(&s->payload);
	buf_finish(&s->out);
	view_copy_finish(&s->before);
	s->ops->receipt(s->ctx, m->id, r, true, detail);
	send_message_free(m);
}

void sender_stop(struct sender *s, const char *reason)
{
	char detail[SEND_DETAIL];
	struct message *kept = NULL, **tail = &kept;
	size_t n = 0;

	if (s->stopped)
		return;
	s->stopped = true;
	while (s->head != NULL) {
		bool typed = s->step > STEP_CLEAR;
		struct message *m = s->head;

		if (m->kept && !m->marked && !typed) {
			m->told = true;
			s->head = m->next;
			m->next = NULL;
			*tail = m;
			tail = &m->next;
			n++;
			send_tell(s, m, RECEIPT_QUEUED, SEND_NEXT_START);
			continue;
		}

		snprintf(detail, sizeof detail, "%s: %s",
			 typed ? "typed, but then" : "never typed", reason);
		send_finish(s, typed ? RECEIPT_UNCONFIRMED : RECEIPT_FAILED,
			    detail);
	}
	s->head = kept;
	s->tail = n > 0 ? tail : &s->head;
	s->count = n;
	s->ops->timer(s->ctx, -1);
}

void sender_screen_changed(struct sender *s)
{
	s->printed_last = send_now(s);
	if (s->printed_at == 0)
		s->printed_at = s->printed_last;
	s->stray.printed = true;
	if (s->head != NULL)
		send_run(s);
}

void sender_reading(struct sender *s, const struct reading *r)
{
	struct verdict now = {.activity = r->activity};

	if (send_is_busy(&now) || r->turn_started)
		s->signs_seen = true;
	if (r->source == SOURCE_HOOK)
		s->hooked = true;
	if (s->head == NULL)
		return;
	if (s->step == STEP_CONFIRM && s->accepted_by == NULL)
		send_confirm_reading(s, r);
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

void sender_typed_ago(struct sender *s, int64_t ms_ago)
{
	int64_t at = s->ops->now(s->ctx) - ms_ago;

	/* Whether somebody did is the question: no answer is no "no". The
	 * timer asks again, until the step has lasted too long. */
	if (ms_ago == TERMINAL_TYPED_UNKNOWN) {
		s->keys = KEYS_UNASKED;
		if (s->unanswered_at == 0 && s->head != NULL)
			s->unanswered_at = s->asked_at;
		s->asked_at = s->ops->now(s->ctx);
		return;
	}
	s->unanswered_at = 0;
	if (ms_ago >= 0 && at > s->typed_at)
		s->typed_at = at;
	/* Nothing was pasted before SEND_TYPING_MS without a key, and at is
	 * never too early: what is later than this was typed since. */
	if (ms_ago >= 0 && at > s->pasted_at - SEND_TYPING_MS / 2)
		s->typed = true;
	s->keys = KEYS_ANSWERED;
	if (s->head != NULL)
		send_run(s);
	s->keys = KEYS_UNASKED;
}

bool sender_holds_keys(const struct sender *s)
{
	return s->head != NULL && s->step == STEP_PASTE;
}

bool sender_is_typing(const struct sender *s)
{
	return s->head != NULL && s->step > STEP_WAIT && s->step < STEP_CONFIRM;
}

bool sender_stopped(const struct sender *s)
{
	return s->stopped;
}

size_t sender_queued(const struct sender *s)
{
	return s->count;
}

const char *sender_waits_for(const struct sender *s)
{
	return s->waits_for;
}
