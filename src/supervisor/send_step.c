/*
 * send_step.c - one message on its way into the composer.
 *
 * A small machine: each step function looks at the world as it is now and
 * either moves the message on (true), ends it (true), or says when to look
 * again (false). Enter is written in one place, press_enter(), and only
 * right after danger() has found nothing with the screen read up to that
 * moment. What remains is the time in which the harness draws a menu that
 * it has decided on but not yet printed; no program outside the harness can
 * close that.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>
#include <string.h>

static int64_t now_ms(const struct sender *s)
{
	return s->ops->now(s->ctx);
}

static void enter_step(struct sender *s, enum step step, int64_t limit_ms)
{
	s->step = step;
	s->step_at = now_ms(s);
	s->deadline = s->step_at + limit_ms;
}

/* Ends the message as neither known to have arrived nor not. */
static bool give_up(struct sender *s, const char *why)
{
	char detail[SEND_DETAIL + 64];

	snprintf(detail, sizeof detail, "%s%s", why,
		 s->step == STEP_CONFIRM ? ""
					 : "; Enter was not pressed, and what "
					   "was typed is left there");
	send_finish(s, RECEIPT_UNCONFIRMED, detail);
	return true;
}

/* -- handing over -- */

/* Prepares the bytes of the line (or of the whole paste) that is next. */
static void load_line(struct sender *s)
{
	const char *from = s->payload.data + s->line_at;
	size_t left = s->payload.len - s->line_at;
	const char *end = s->bracketed ? NULL : memchr(from, '\n', left);

	s->line_len = end != NULL ? (size_t)(end - from) : left;
	s->more = end != NULL;
	buf_clear(&s->out);
	s->out_at = 0;
	if (s->bracketed)
		buf_adds(&s->out, "\033[200~");
	buf_add(&s->out, from, s->line_len);
	if (s->bracketed)
		buf_adds(&s->out, "\033[201~");
	s->backlog = 0;
	s->echo_before = s->line_len > 0 &&
			 adapter_echoed(s->adapter, s->rules, &s->before.view,
					&s->before.view, from, s->line_len);
	enter_step(s, STEP_PASTE, SEND_STUCK_MS);
}

/* In a program's own line editor a typed TAB completes; a paste's does not,
 * nor does one in a canonical terminal. */
static void tame_tabs(struct sender *s, unsigned flags)
{
	bool canonical = false, echo = false;

	if (s->bracketed || (flags & SENDER_RAW) ||
	    (s->ops->tty(s->ctx, &canonical, &echo) && canonical))
		return;
	for (size_t i = 0; i < s->payload.len; i++)
		if (s->payload.data[i] == '\t')
			s->payload.data[i] = ' ';
}

static bool start_paste(struct sender *s, struct message *m)
{
	char why[SEND_DETAIL];
	struct view v;

	s->ops->view(s->ctx, &v);
	buf_clear(&s->payload);
	if (m->flags & SENDER_RAW)
		buf_add(&s->payload, m->text, m->len);
	else
		adapter_guard(s->adapter, m->text, m->len, &s->payload);
	if (!send_fits(s, &v, s->payload.data, s->payload.len, m->flags, why))
		return send_fail(s, why);
	s->bracketed = v.bracketed_paste;
	tame_tabs(s, m->flags);
	view_copy_set(&s->before, &v);
	s->typed = false;
	s->mismatch = false;
	s->output_after = false;
	s->accepted_by = NULL;
	s->waits_for[0] = '\0';
	s->line_at = 0;
	s->pasted_once = true;
	load_line(s);
	return true;
}

/* Takes our own old draft away: once, and only while it is seen there. */
static bool clear_draft(struct sender *s, struct message *m)
{
	const char *key = s->adapter->clear_draft;
	char why[SEND_DETAIL];

	if (s->ops->refresh != NULL)
		s->ops->refresh(s->ctx);
	if (send_obstacle(s, m->flags, true, why) != OBSTACLE_OWN_DRAFT) {
		send_later(s, SEND_POLL_MS);
		return false;
	}
	m->cleared = true;
	s->ops->write(s->ctx, key, strlen(key));
	enter_step(s, STEP_CLEAR, SEND_CLEAR_MS);
	return true;
}

static bool step_clear(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t left = s->deadline - now_ms(s);
	enum obstacle o = send_obstacle(s, s->head->flags, true, why);

	/* A backlog is the key itself, on its way (backend tmux). */
	if ((o != OBSTACLE_OWN_DRAFT && o != OBSTACLE_BACKLOG) || left <= 0) {
		enter_step(s, STEP_WAIT, 0);
		s->free_since = 0;
		return true;
	}
	send_later(s, left);
	return false;
}

static bool step_wait(struct sender *s)
{
	struct message *m = s->head;
	char why[SEND_DETAIL] = "";
	int64_t now = now_ms(s), settle;
	enum obstacle o = send_obstacle(s, m->flags, false, why);

	if (o == OBSTACLE_OWN_DRAFT && !m->cleared)
		return clear_draft(s, m);
	if (o != OBSTACLE_NONE)
		return send_wait_for(s, m, o, now, why);
	s->blocked_since = 0;
	if (s->free_since == 0)
		s->free_since = now;
	settle = s->pasted_once ? SEND_SETTLE_MS : SEND_FIRST_SETTLE_MS;
	if (now - s->free_since < settle) {
		send_later(s, s->free_since + settle - now);
		return false;
	}
	if (s->ops->refresh != NULL) {
		s->ops->refresh(s->ctx);
		o = send_obstacle(s, m->flags, false, why);
		if (o != OBSTACLE_NONE)
			return send_wait_for(s, m, o, now, why);
	}
	return start_paste(s, m);
}

/* Broken off in the middle: what follows must not be part of the paste. */
static bool give_up_paste(struct sender *s, size_t backlog)
{
	char why[SEND_DETAIL];

	snprintf(why, sizeof why,
		 "the harness does not read its terminal: %zu of %zu bytes "
		 "were taken",
		 s->out_at - (backlog < s->out_at ? backlog : s->out_at),
		 s->out.len);
	s->owes_end = s->bracketed && s->out_at > 0 && s->out_at < s->out.len;
	return give_up(s, why);
}

static bool step_paste(struct sender *s)
{
	int64_t now = now_ms(s);
	size_t left = s->out.len - s->out_at, took = 0, backlog;

	if (left > 0)
		took = s->ops->write(s->ctx, s->out.data + s->out_at, left);
	s->out_at += took;
	backlog = s->ops->backlog(s->ctx);
	if (s->out_at == s->out.len && backlog == 0) {
		/* 32 KiB a second is slower than any harness seen. */
		enter_step(s, STEP_ECHO,
			   SEND_ECHO_MS + (int64_t)s->line_len / 32);
		return true;
	}
	if (took > 0 || backlog != s->backlog)
		s->deadline = now + SEND_STUCK_MS;
	s->backlog = backlog;
	/* Some progress now and then is not enough: keys are held back. */
	if (now >= s->deadline ||
	    now - s->step_at >= 2 * SEND_STUCK_MS + (int64_t)s->out.len / 16)
		return give_up_paste(s, backlog);
	send_later(s, SEND_POLL_MS);
	return false;
}

/* -- echo and Enter -- */

/* Why Enter must not be pressed; false: nothing found. */
static bool danger(struct sender *s, const struct view *v, char *why)
{
	bool canonical = false, echo = true;
	struct verdict verdict;
	struct look look;
	const char *text = NULL, *detail = "";

	s->ops->verdict(s->ctx, &verdict);
	adapter_look(s->adapter, s->rules, v, &look);
	if (s->typed) {
		text = "somebody typed in the terminal meanwhile";
	} else if (look.reading.question || verdict.question) {
		text = "it asks something now";
		detail = look.reading.question ? look.reading.detail
					       : verdict.detail;
	} else if (s->ops->tty(s->ctx, &canonical, &echo) && canonical &&
		   !echo) {
		text = "the terminal asks for a password now";
	}
	s->was_busy =
	    send_is_busy(&verdict) && verdict.source != SOURCE_PROCESS;
	s->was_busy_screen = look.reading.activity == ACTIVITY_WORKING ||
			     look.reading.activity == ACTIVITY_THINKING;
	if (text == NULL)
		return false;
	snprintf(why, SEND_DETAIL, "%s%s%s", text,
		 detail[0] != '\0' ? ": " : "", detail);
	return true;
}

static bool is_echoed(struct sender *s, const struct view *v)
{
	if (s->line_len == 0)
		return true; /* an empty line has none */
	/* What stood there from before proves nothing; that the cursor has
	 * moved since does. */
	if (s->echo_before && s->before.view.cursor_row == v->cursor_row &&
	    s->before.view.cursor_col == v->cursor_col)
		return false;
	return adapter_echoed(s->adapter, s->rules, &s->before.view, v,
			      s->payload.data + s->line_at, s->line_len);
}

static bool step_echo(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t now = now_ms(s);
	struct view v;

	s->ops->view(s->ctx, &v);
	if (danger(s, &v, why))
		return give_up(s, why);
	if (is_echoed(s, &v)) {
		if (!s->more)
			send_tell(s, s->head, RECEIPT_PASTED, "");
		enter_step(s, STEP_LOOK, s->enter_delay_ms + SEND_LOOK_MS);
		return true;
	}
	if (now >= s->deadline)
		return give_up(s, "pasted, but the composer does not show it");
	send_later(s, s->deadline - now);
	return false;
}

static bool press_enter(struct sender *s, const struct view *v)
{
	if (s->ops->write(s->ctx, "\r", 1) != 1)
		return give_up(s, "the terminal did not take the Enter");
	s->entered_at = now_ms(s);
	if (s->more) {
		s->line_at += s->line_len + 1;
		enter_step(s, STEP_LINE, SEND_LINE_MS);
		return true;
	}
	view_copy_set(&s->before, v);
	enter_step(s, STEP_CONFIRM,
		   (s->adapter->hook != NULL ? SEND_HOOK_MS : SEND_CONFIRM_MS) +
		       (int64_t)s->payload.len / 64);
	send_tell(s, s->head, RECEIPT_SUBMITTED, "");
	return true;
}

static bool step_look(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t now = now_ms(s), left = s->step_at + s->enter_delay_ms - now;
	struct view v;

	if (left > 0 && !s->typed) {
		send_later(s, left);
		return false;
	}
	if (s->ops->refresh != NULL)
		s->ops->refresh(s->ctx);
	s->ops->view(s->ctx, &v);
	if (danger(s, &v, why))
		return give_up(s, why);
	if (s->ops->backlog(s->ctx) == 0 && is_echoed(s, &v))
		return press_enter(s, &v);
	if (now >= s->deadline)
		return give_up(s, "the text is no longer in the composer");
	send_later(s, SEND_POLL_MS);
	return false;
}

/* Between two typed lines: what did the one before bring about? */
static bool step_line(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t left = s->deadline - now_ms(s);
	struct verdict verdict;
	struct view v;

	if (left > 0) {
		send_later(s, left);
		return false;
	}
	if (s->ops->refresh != NULL)
		s->ops->refresh(s->ctx);
	s->ops->view(s->ctx, &v);
	if (danger(s, &v, why))
		return give_up(s, why);
	s->ops->verdict(s->ctx, &verdict);
	if (send_is_busy(&verdict) && verdict.source != SOURCE_PROCESS)
		return give_up(s, "it began to work after the first lines");
	view_copy_set(&s->before, &v);
	load_line(s);
	return true;
}

/* -- confirmation -- */

static bool accept(struct sender *s, const char *source)
{
	char detail[SEND_DETAIL];

	snprintf(detail, sizeof detail, "confirmed by %s", source);
	send_finish(s, RECEIPT_ACCEPTED, detail);
	return true;
}

static bool end_unconfirmed(struct sender *s, const struct look *look)
{
	if (look->composer == COMPOSER_DRAFT)
		return give_up(s, "Enter was pressed, but the text still "
				  "stands in the composer");
	if (look->reading.question)
		return give_up(s, "Enter was pressed; it asks something now");
	if (s->mismatch)
		return give_up(s, "Enter was pressed, but the harness took "
				  "another text");
	if (!s->output_after)
		return give_up(s, "Enter was pressed, but nothing followed");
	if (s->adapter->hook == NULL && !s->was_busy) {
		send_finish(s, RECEIPT_SUBMITTED,
			    "Enter was pressed and the composer took it; this "
			    "harness shows no more");
		return true;
	}
	return give_up(s, "Enter was pressed, but no sign of a turn followed");
}

static bool step_confirm(struct sender *s)
{
	int64_t now = now_ms(s), left = s->deadline - now;
	struct look look;
	struct view v;
	bool silent, busy;

	if (s->accepted_by != NULL)
		return accept(s, s->accepted_by);
	s->ops->view(s->ctx, &v);
	adapter_look(s->adapter, s->rules, &v, &look);
	if (!s->output_after && !view_copy_same(&s->before, &v)) {
		s->output_after = true;
		s->output_at = now;
	}
	busy = look.reading.activity == ACTIVITY_WORKING ||
	       look.reading.activity == ACTIVITY_THINKING;
	if (busy)
		s->signs_seen = true;
	if (busy && !s->was_busy_screen && !s->was_busy && !s->mismatch &&
	    look.composer != COMPOSER_DRAFT)
		return accept(s, source_name(SOURCE_SCREEN));
	/* Nothing that could confirm has ever been seen of this harness. */
	silent = s->adapter->hook == NULL && s->adapter->title_says == NULL &&
		 !s->signs_seen && !rules_has(s->rules, "busy") &&
		 !rules_has(s->rules, "thinking");
	if (silent && s->output_after && look.composer != COMPOSER_DRAFT &&
	    s->output_at + SEND_SIGN_MS - now < left)
		left = s->output_at + SEND_SIGN_MS - now;
	if (left <= 0)
		return end_unconfirmed(s, &look);
	send_later(s, left);
	return false;
}

/* -- the machine -- */

static bool step_once(struct sender *s)
{
	switch (s->step) {
	case STEP_WAIT:
		return step_wait(s);
	case STEP_CLEAR:
		return step_clear(s);
	case STEP_PASTE:
		return step_paste(s);
	case STEP_ECHO:
		return step_echo(s);
	case STEP_LOOK:
		return step_look(s);
	case STEP_LINE:
		return step_line(s);
	case STEP_CONFIRM:
		return step_confirm(s);
	}
	return false;
}

static void end_broken_paste(struct sender *s)
{
	static const char end[] = "\033[201~";

	if (!s->owes_end)
		return;
	if (s->ops->backlog(s->ctx) == 0 &&
	    s->ops->write(s->ctx, end, sizeof end - 1) == sizeof end - 1)
		s->owes_end = false;
}

static void tell_others(struct sender *s)
{
	char why[SEND_DETAIL];
	int before = 0;

	for (struct message *m = s->head; m != NULL; m = m->next, before++) {
		if (before == 0 || m->told)
			continue;
		snprintf(why, sizeof why, "behind %d other%s", before,
			 before == 1 ? "" : "s");
		send_tell_queued(s, m, why);
	}
}

void send_run(struct sender *s)
{
	if (s->running || s->stopped)
		return; /* what has changed is looked at where it matters */
	s->running = true;
	s->delay_ms = -1;
	end_broken_paste(s);
	while (s->head != NULL && step_once(s))
		continue;
	tell_others(s);
	if (s->owes_end)
		send_later(s, SEND_STUCK_MS);
	s->running = false;
	s->ops->timer(s->ctx, s->delay_ms);
}
