/*
 * sender_type.c - types a message, from a free composer to Enter.
 *
 * Text that was handed over is handed over again only if no Enter followed and
 * the composer is empty (hold_back()). Enter is written in one place,
 * press_enter(), directly after find_danger() has found nothing on the screen
 * as read up to that moment. One gap remains: the harness may have decided on a
 * menu that it has not printed yet. No program outside the harness can close
 * that gap.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <string.h>

#define HELD_TRIES 3

static const char no_answer[] =
    "tmux does not report whether the user is typing";

/* Hands over bytes, which may change the screen. */
static size_t type(struct sender *s, const char *data, size_t len)
{
	s->fresh = false;
	return s->ops->write(s->ctx, data, len);
}

/* -- hold ----------------------------------------------------------------
 *
 * A message that was typed and got no Enter, because something came in between,
 * is held: it is in the queue again, and is typed again when the composer is
 * empty, unless a person has pressed Enter: a hook reports the text; without
 * hooks, work that begins when the text has disappeared may be on it.
 */

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

/* asks: a person has to act first; otherwise it is held a few times at most. It
 * is given up if an Enter was pressed. Returns true. */
static bool hold_back(struct sender *s, const char *why, bool asks)
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

/* Ends the held message, which a person has sent, or perhaps. */
static bool end_sent(struct sender *s)
{
	bool sure = s->leftover.sent == SENT_IT;

	sender_drop_leftover(s);
	return sender_end(s, sure ? RECEIPT_ACCEPTED : RECEIPT_UNCONFIRMED,
			  sure ? "a person pressed Enter"
			       : "a person has cleared it, or sent it");
}

/* -- paste --------------------------------------------------------------- */

/* Hands over the next line (or the whole paste): all of it, as there is no
 * backlog. */
static bool hand_over(struct sender *s)
{
	const char *from = s->payload.data + s->line_at;
	size_t left = s->payload.len - s->line_at;
	const char *end = s->bracketed ? NULL : memchr(from, '\n', left);
	struct buf out = {0};

	s->line_len = end != NULL ? (size_t)(end - from) : left;
	s->more = end != NULL;
	buf_adds(&out, s->bracketed ? "\033[200~" : "");
	buf_add(&out, from, s->line_len);
	buf_adds(&out, s->bracketed ? "\033[201~" : "");
	s->out_len = s->backlog = out.len;
	s->echo_before = s->line_len > 0 &&
			 adapter_echoed(s->adapter, s->rules, &s->before.view,
					&s->before.view, from, s->line_len);
	sender_enter_step(s, STEP_PASTE, STUCK_MS);
	left = out.len - type(s, out.data, out.len);
	buf_finish(&out);
	return left == 0 ||
	       sender_give_up(s, "the terminal did not take all of it");
}

/* Marks m as typed, so that a later supervisor does not type it again. Returns
 * false if that fails now, or if the message was cancelled. */
static bool mark_typed(struct sender *s, const struct message *m)
{
	struct err err = {0};

	if (!m->stored || queue_claim(s->dir, m->id, &err) == 0)
		return true;
	if (err.kind == ERR_CONFLICT) {
		s->stale = true;
		return false;
	}
	snprintf(s->waits_for, sizeof s->waits_for, "%.200s", err.what);
	sender_later(s, RECHECK_MS);
	return false;
}

static bool start_paste(struct sender *s)
{
	struct message *m = s->message;
	char why[SENDER_DETAIL];
	struct screen_view v;

	s->ops->view(s->ctx, &v);
	buf_clear(&s->payload);
	if (m->flags & SENDER_RAW)
		buf_add(&s->payload, m->text, m->len);
	else
		adapter_guard(s->adapter, s->rules, m->text, m->len,
			      &s->payload);
	if (!sender_may_be_text(s, m->text, m->len, m->flags, why))
		return sender_end(s, RECEIPT_FAILED, why);
	if (!sender_can_type(&v, s->payload.data, s->payload.len, m->flags,
			     why))
		return sender_end(s, RECEIPT_FAILED, why);
	if (!mark_typed(s, m))
		return s->stale;
	s->bracketed = v.bracketed_paste;
	view_copy_set(&s->before, &v);
	s->pasted_at = sender_now(s);
	s->typed = s->entered_again = s->queued = s->mismatch = false;
	s->queued_at = 0;
	s->accepted_by = s->sign = NULL;
	s->waits_for[0] = '\0';
	s->line_at = 0;
	return hand_over(s);
}

/* Presses the keys that clear our old draft, up to a pause; the others follow
 * only if it is still there then. */
static void clear_draft(struct sender *s, struct message *m)
{
	_buf_ struct buf keys = {0};
	int64_t pause = adapter_clear(s->rules, &m->clear_at, &keys);

	m->cleared = true;
	m->clears_more = pause > 0;
	/* free for so long that it settles at the end of the pause */
	s->free_since = pause > 0 ? sender_now(s) + pause - SETTLE_MS : 0;
	type(s, keys.data, keys.len);
	sender_later(s, pause);
}

bool sender_step_wait(struct sender *s)
{
	struct message *m = s->message;
	char why[SENDER_DETAIL] = "";
	int64_t now = sender_now(s);
	int64_t settle = s->pasted_at != 0 ? SETTLE_MS : FIRST_SETTLE_MS;
	enum obstacle o = sender_obstacle(s, m->flags, false, why);
	bool clears =
	    o == OBSTACLE_OWN_DRAFT && (!m->cleared || m->clears_more);
	struct screen_view v;

	if (sender_is_held(s) && s->leftover.sent != SENT_NOT)
		return end_sent(s);
	if (o != OBSTACLE_NONE && !clears) {
		s->free_since = s->updating_at = 0;
		return sender_record_obstacle(s, o, why);
	}
	if (s->free_since == 0)
		s->free_since = now;
	if (now - s->free_since < settle) {
		sender_later(s, s->free_since + settle - now);
		return false;
	}
	if (!sender_keys_known(s))
		return sender_record_obstacle(s, OBSTACLE_KEYS, no_answer);
	if (!sender_is_fresh(s))
		return false;
	s->ops->view(s->ctx, &v);
	if (!sender_is_whole(s, &v))
		return false;
	if (!clears)
		return start_paste(s);
	clear_draft(s, m);
	return false;
}

/* Waits until the harness has read all of it. */
bool sender_step_paste(struct sender *s)
{
	int64_t now = sender_now(s);
	size_t backlog = s->ops->backlog(s->ctx);
	char why[SENDER_DETAIL];

	if (backlog == 0) {
		s->printed_at = 0;
		sender_enter_step(s, STEP_ECHO, 0);
		return true;
	}
	if (backlog != s->backlog)
		s->deadline = now + STUCK_MS;
	s->backlog = backlog;
	/* Slow progress is not enough: other keys are held back meanwhile. */
	if (now < s->deadline &&
	    now - s->step_at < 2 * STUCK_MS + (int64_t)s->out_len / 16) {
		sender_later(s, POLL_MS);
		return false;
	}
	snprintf(why, sizeof why,
		 "the agent does not read its terminal: %zu of %zu bytes "
		 "were taken",
		 s->out_len - (backlog < s->out_len ? backlog : s->out_len),
		 s->out_len);
	return sender_give_up(s, why);
}

/* Returns whether Enter must wait for other parts. */
static bool must_hold(struct sender *s, bool first)
{
	return s->ops->hold_enter && s->ops->hold_enter(s->ctx, first);
}

/* -- echo ---------------------------------------------------------------- */

/* Returns whether something forbids Enter, and what in why. */
static bool find_danger(struct sender *s, const struct screen_state *shown,
			char *why)
{
	struct verdict verdict;
	bool asks_password;
	const char *text = NULL, *detail = "";

	s->ops->verdict(s->ctx, &verdict);
	sender_is_canonical(s, &asks_password);
	if (s->typed) {
		text = "the user typed in the terminal meanwhile";
	} else if (shown->reading.question || verdict.question) {
		text = "it asks something now";
		detail = shown->reading.question ? shown->reading.detail
						 : verdict.detail;
	} else if (asks_password) {
		text = "the terminal asks for a password now";
	}
	if (!s->entered_again) {
		s->was_busy = sender_is_busy(shown->reading.activity) ||
			      (sender_is_busy(verdict.activity) &&
			       verdict.source != SOURCE_PROCESS);
		s->queued_before = shown->queued;
	}
	if (text == NULL)
		return false;
	snprintf(why, SENDER_DETAIL, "%s%s%s", text,
		 detail[0] != '\0' ? ": " : "", detail);
	return true;
}

static bool is_echoed(struct sender *s, const struct screen_view *v,
		      const struct screen_state *shown)
{
	if (shown->composer == COMPOSER_ABSENT)
		return false; /* something else shows the text */
	if (s->entered_again)
		return s->adapter->enter_became_line(s->rules, &s->before.view,
						     v);
	/* Text that was there before proves nothing, unless the cursor has
	 * moved since. */
	if (s->echo_before && s->before.view.cursor_row == v->cursor_row &&
	    s->before.view.cursor_col == v->cursor_col)
		return false;
	return adapter_echoed(s->adapter, s->rules, &s->before.view, v,
			      s->payload.data + s->line_at, s->line_len);
}

/* A harness that prints nothing at all probably does not read either, and gets
 * more time. 32 KiB a second is slower than any harness seen. */
static int64_t echo_deadline(const struct sender *s)
{
	int64_t more = (int64_t)s->line_len / 32;

	return s->printed_at != 0 ? s->printed_at + FLICKER_MS + more
				  : s->step_at + SILENT_MS + more;
}

bool sender_step_echo(struct sender *s)
{
	char why[SENDER_DETAIL];
	int64_t left = echo_deadline(s) - sender_now(s);
	struct screen_state shown;
	struct screen_view v;

	sender_read_screen(s, &v, &shown);
	if (find_danger(s, &shown, why))
		return hold_back(s, why, true);
	if (is_echoed(s, &v, &shown)) {
		if (!s->more)
			s->ops->receipt(s->ctx, s->message->id, RECEIPT_PASTED,
					false, "");
		if (s->line_at == 0)
			must_hold(s, true);
		sender_enter_step(s, STEP_CHECK,
				  adapter_enter_delay_ms(s->rules) +
				      RECHECK_MS);
		return true;
	}
	/* The echo may be shown together with what a person typed beside it. */
	if (left <= 0 && left > -RECHECK_MS && !sender_keys_known(s))
		return false;
	if (left <= 0 && shown.composer == COMPOSER_ABSENT)
		return hold_back(
		    s, "something is open in place of its input field", true);
	/* Not held back: the composer looks empty now, so that the text would
	 * be typed again, and the first paste may still appear. */
	if (left <= 0)
		return sender_give_up(
		    s, "pasted, but its input field does not show it");
	sender_later(s, left);
	return false;
}

/* -- Enter --------------------------------------------------------------- */

static bool press_enter(struct sender *s, const struct screen_view *v,
			const struct screen_state *shown)
{
	if (type(s, "\r", 1) != 1)
		return sender_give_up(s, "the terminal did not take the Enter");
	s->entered_at = sender_now(s);
	s->enter_open = true;
	s->printed_at = 0;
	if (s->more) {
		s->line_at += s->line_len + 1;
		sender_enter_step(s, STEP_LINE, SETTLE_MS);
		return true;
	}
	view_copy_set(&s->before, v);
	s->entered_draft = shown->draft;
	sender_enter_step(s, STEP_CONFIRM,
			  ACT_MS + (int64_t)s->payload.len / 64);
	if (!s->entered_again)
		s->ops->receipt(s->ctx, s->message->id, RECEIPT_SUBMITTED,
				false, "");
	return true;
}

/* If an Enter became a line, it is pressed again only if the text is unchanged;
 * otherwise the first Enter is the one to confirm. */
static bool end_look(struct sender *s, const char *why, bool asks)
{
	if (!s->entered_again)
		return hold_back(s, why, asks);
	sender_enter_step(s, STEP_CONFIRM, ACT_MS);
	return true;
}

bool sender_step_check(struct sender *s)
{
	char why[SENDER_DETAIL];
	int64_t now = sender_now(s);
	int64_t calm = s->stalled_at != 0 ? s->stalled_at + PAUSE_MS : 0;
	int64_t left = (calm > s->step_at ? calm : s->step_at) - now +
		       adapter_enter_delay_ms(s->rules);
	struct screen_state shown;
	struct screen_view v;

	if (left > 0 && !s->typed) {
		sender_later(s, left);
		return false;
	}
	if (!s->typed && must_hold(s, false) && now - s->step_at < HOLD_MS) {
		s->deadline = now + RECHECK_MS;
		sender_later(s, POLL_MS);
		return false;
	}
	if (!s->typed && !sender_keys_known(s))
		return now >= s->deadline && end_look(s, no_answer, false);
	if (!sender_is_fresh(s))
		return false;
	if (s->entered_again && s->accepted_by != NULL)
		return end_look(s, "", false);
	sender_read_screen(s, &v, &shown);
	if (!sender_is_whole(s, &v))
		return false;
	if (find_danger(s, &shown, why))
		return end_look(s, why, true);
	if (s->ops->backlog(s->ctx) == 0 && is_echoed(s, &v, &shown))
		return press_enter(s, &v, &shown);
	if (now >= s->deadline)
		return end_look(s, "the text is no longer in its input field",
				shown.composer == COMPOSER_ABSENT);
	sender_later(s, POLL_MS);
	return false;
}

/* Between two typed lines: checks what the line before has caused. */
bool sender_step_line(struct sender *s)
{
	char why[SENDER_DETAIL];
	int64_t left = s->deadline - sender_now(s);
	struct screen_state shown;
	struct screen_view v;

	if (s->ops->backlog(s->ctx) == 0)
		s->enter_open = false;
	if (left > 0) {
		sender_later(s, left);
		return false;
	}
	if (!sender_is_fresh(s))
		return false;
	sender_read_screen(s, &v, &shown);
	if (!sender_is_whole(s, &v))
		return false;
	if (find_danger(s, &shown, why))
		return sender_give_up(s, why);
	if (s->was_busy)
		return sender_give_up(s,
				      "it began to work after the first lines");
	view_copy_set(&s->before, &v);
	return hand_over(s);
}
