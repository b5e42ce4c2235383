/*
 * sender.c - brings one message into the composer, in these steps:
 *
 *   wait     until the composer is free and empty         -> QUEUED
 *   paste    filtered and guarded, inside a bracketed paste
 *   echo     until the composer shows it, and only it     -> PASTED
 *   check    after the adapter's enter delay, checks again: no question, no
 *            password prompt, no typing, the text is still there
 *   Enter    once                                         -> SUBMITTED
 *   confirm  by hook, status, title or screen             -> ACCEPTED
 *
 * If a step fails, the pasted text is left in the composer: some harnesses quit
 * on a clearing key when the composer is empty (FACTS). If clearing is safe,
 * the next message clears it. Before Enter, if something is in the way, the
 * message goes back to "wait" (sender_type.c); otherwise it is not tried
 * again.
 *
 * This is a small state machine: each step checks the current state and either
 * moves the message on (true), ends it (true), or sets the time of the next
 * check (false). Events only lead to the next sender_run(), so that one place
 * decides what happens next, and no receipt comes before the reply to a submit.
 * Before a key, all that the harness has printed is read: not within a step,
 * but by the caller, who calls it again (sender_is_fresh()).
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "session/typable.h"
#include "terminal/terminal.h"

/* -- create and destroy -------------------------------------------------- */

struct sender *sender_create(const struct adapter *adapter,
			     const struct rules *rules,
			     const struct sender_ops *ops, void *ctx)
{
	struct sender *s = mem_alloc(sizeof *s);

	s->adapter = adapter;
	s->rules = rules;
	s->ops = ops;
	s->ctx = ctx;
	return s;
}

void sender_destroy(struct sender *s)
{
	if (s == NULL)
		return;
	message_free(s->message);
	sender_drop_leftover(s);
	buf_finish(&s->payload);
	view_copy_finish(&s->before);
	free(s);
}

/* Bytes that the backend has lost do not appear later. The harness may still
 * read the other bytes, and then shows them as a draft. */
void sender_write_failed(struct sender *s, size_t lost, const char *why,
			 bool maybe)
{
	bool paste = s->step == STEP_PASTE;
	bool none = paste && !maybe && s->line_at == 0 && s->out_len <= lost;
	char detail[SENDER_DETAIL];

	/* While the echo is awaited, all bytes have been taken. */
	if (s->message == NULL || s->stopped || (!paste && !s->enter_open))
		return;
	snprintf(detail, sizeof detail, "%.160s: %s", why,
		 none	 ? "nothing was typed"
		 : paste ? "not all of it was typed, or perhaps nothing"
		 : maybe ? "it is unknown whether Enter was pressed"
			 : "Enter was not pressed, and what was typed is left "
			   "there");
	if (paste && !none)
		sender_give_up(s, detail);
	else
		sender_end(s, none ? RECEIPT_FAILED : RECEIPT_UNCONFIRMED,
			   detail);
	if (paste && !none)
		sender_drop_leftover(s);
	sender_later(s, 0);
}

static bool step_once(struct sender *s)
{
	static bool (*const steps[])(struct sender *) = {
	    [STEP_WAIT] = sender_step_wait,
	    [STEP_PASTE] = sender_step_paste,
	    [STEP_ECHO] = sender_step_echo,
	    [STEP_CHECK] = sender_step_check,
	    [STEP_LINE] = sender_step_line,
	    [STEP_CONFIRM] = sender_step_confirm,
	};

	return steps[s->step](s);
}

/* A machine that was stalled has also stalled the harness: what the harness has
 * to show comes in a moment, and the stall does not count as time. */
static void check_stall(struct sender *s, int64_t due)
{
	int64_t now = sender_now(s);

	if (due == 0 || now - due < STALL_MS)
		return;
	s->deadline += now - due;
	s->stalled_at = now;
}

bool sender_run(struct sender *s, bool fresh)
{
	int64_t due = s->due;

	s->due = 0;
	s->fresh = fresh;
	s->wants_fresh = false;
	if (!s->stopped && sender_fetch(s)) {
		check_stall(s, due);
		while (sender_fetch(s) && step_once(s))
			continue;
		if (s->stale)
			sender_later(s, 0);
	}
	if (!s->wants_fresh && s->keys == KEYS_KNOWN)
		s->keys = KEYS_UNASKED;
	return s->wants_fresh;
}

/* -- events -------------------------------------------------------------- */

void sender_screen_changed(struct sender *s)
{
	s->printed_last = sender_now(s);
	if (s->printed_at == 0)
		s->printed_at = s->printed_last;
	s->leftover.printed = true;
	sender_note_screen(s);
	sender_wake(s);
}

void sender_reading(struct sender *s, const struct reading *r)
{
	if (r->source == SOURCE_HOOK)
		s->hooked = true;
	if (s->step == STEP_CONFIRM ||
	    (s->step == STEP_CHECK && s->entered_again))
		sender_confirm_reading(s, r);
	if (r->turn_started)
		sender_note_turn(s, r);
	sender_later(s, 0);
}

void sender_wake(struct sender *s)
{
	if ((s->message != NULL || s->files > 0) && !s->stopped)
		sender_later(s, 0);
}

void sender_user_typed(struct sender *s)
{
	s->typed_at = sender_now(s);
	s->typed = true;
	sender_note_typed(s);
	sender_wake(s);
}

void sender_typed_ago(struct sender *s, int64_t ms_ago)
{
	int64_t now = sender_now(s), at = now - ms_ago;

	/* The question is whether a person typed: an unknown answer does not
	 * mean no. */
	if (ms_ago == TERMINAL_TYPED_UNKNOWN) {
		s->keys = KEYS_UNASKED;
		s->ask_at = now + SETTLE_MS;
		return;
	}
	if (ms_ago >= 0 && at > s->typed_at)
		s->typed_at = at;
	/* Nothing was pasted within PAUSE_MS after a key, and at is never too
	 * early: a later key was typed after the paste. */
	if (ms_ago >= 0 && at > s->pasted_at - PAUSE_MS / 2)
		s->typed = s->leftover.typed = true;
	s->keys = KEYS_KNOWN;
}

/* A message that is confirmed only later may begin a turn. */
int sender_hold(struct sender *s, const char *why, struct err *err)
{
	if (s->message != NULL && s->step > STEP_WAIT) {
		err_set(err, ERR_REFUSED, "a message is being delivered");
		return err_hint(err, "try again in a moment");
	}
	s->held = why;
	return 0;
}

void sender_release(struct sender *s)
{
	s->held = NULL;
	sender_wake(s);
}

void sender_hold_queued(struct sender *s, int64_t last)
{
	s->held_to = last;
	sender_wake(s);
}

/* -- a new message -------------------------------------------------------
 *
 * It is refused, becomes the message under way, or is stored as a file after
 * it. If a person has to act first, it is refused, and the error says what to
 * do.
 */

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
	if (!(flags & SENDER_NOW) || adapter_may_send_busy(s->rules))
		return 0;
	err_set(err, ERR_USAGE,
		"this agent takes no messages while it works (--now)");
	return err_hint(err, "without --now the message is queued until its "
			     "turn has ended");
}

static int check_filtered(const struct sender *s, const struct buf *text,
			  size_t dropped, unsigned flags, struct err *err)
{
	char why[SENDER_DETAIL];

	if (typable_blank(text->data, text->len) && dropped > 0)
		return err_set(err, ERR_USAGE,
			       "nothing to send: the message has only control "
			       "or invalid bytes (%zu)",
			       dropped);
	if (typable_blank(text->data, text->len))
		return err_set(err, ERR_USAGE,
			       "nothing to send: the message is empty");
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
	if (check_filtered(s, &filtered, out->dropped, flags, err) < 0 ||
	    check_now(s, &filtered, flags, err) < 0)
		return -1;
	id = queue_number(s->dir, err);
	return id < 0
		   ? -1
		   : accept_message(s, message_create(s, id, flags, &filtered),
				    out, err);
}

/* -- queries ------------------------------------------------------------- */

bool sender_holds_keys(const struct sender *s)
{
	return s->step == STEP_PASTE;
}

bool sender_is_typing(const struct sender *s)
{
	return s->step > STEP_WAIT && s->step < STEP_CONFIRM;
}

bool sender_stopped(const struct sender *s)
{
	return s->stopped;
}

const char *sender_wait_reason(const struct sender *s)
{
	return s->waits_for;
}

const char *sender_text(const struct sender *s)
{
	return s->message ? s->message->text : "";
}

int sender_list(const struct sender *s, cJSON *list, struct err *err)
{
	const struct message *m = s->message;
	struct err why = {0};

	if (m != NULL && !m->stored) {
		struct queued q = {
		    .id = m->id,
		    .state = sender_is_typed(s, m) ? QUEUE_TYPING : QUEUE_WAITS,
		    .at = clock_wall_ms() - (sender_now(s) - m->taken_at),
		    .text = m->text,
		    .len = m->len,
		};

		cJSON_AddItemToArray(list, queue_json(&q));
	}
	queue_json_all(s->dir, list, &why);
	if (!why.kind)
		return 0;
	*err = why;
	return -1;
}
