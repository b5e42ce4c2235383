/*
 * send_enter.c - from the echo to Enter.
 *
 * Enter is written in one place, press_enter(), and only right after
 * danger() has found nothing with the screen read up to that moment. What
 * remains is the time in which the harness draws a menu that it has decided
 * on but not yet printed; no program outside the harness can close that.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>

/* Why Enter must not be pressed; false: nothing found. */
static bool danger(struct sender *s, const struct view *v, struct look *look,
		   char *why)
{
	bool canonical = false, echo = true;
	struct verdict verdict;
	const char *text = NULL, *detail = "";

	s->ops->verdict(s->ctx, &verdict);
	adapter_look(s->adapter, s->rules, v, look);
	if (s->typed) {
		text = "somebody typed in the terminal meanwhile";
	} else if (look->reading.question || verdict.question) {
		text = "it asks something now";
		detail = look->reading.question ? look->reading.detail
						: verdict.detail;
	} else if (s->ops->tty(s->ctx, &canonical, &echo) && canonical &&
		   !echo) {
		text = "the terminal asks for a password now";
	}
	s->was_busy =
	    send_is_busy(&verdict) && verdict.source != SOURCE_PROCESS;
	s->was_busy_screen = look->reading.activity == ACTIVITY_WORKING ||
			     look->reading.activity == ACTIVITY_THINKING;
	s->queued_before = look->queued;
	if (text == NULL)
		return false;
	snprintf(why, SEND_DETAIL, "%s%s%s", text,
		 detail[0] != '\0' ? ": " : "", detail);
	return true;
}

static bool is_echoed(struct sender *s, const struct view *v,
		      const struct look *look)
{
	if (look->composer == COMPOSER_ABSENT)
		return false; /* what shows it is something else */
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

/*
 * A harness that prints nothing at all does not read either, as far as can
 * be seen: it is waited for longer.
 */
static int64_t echo_until(const struct sender *s)
{
	/* 32 KiB a second is slower than any harness seen. */
	int64_t until = SEND_ECHO_MS + (int64_t)s->line_len / 32;

	if (s->printed_at != 0)
		return s->printed_at + until;
	return s->step_at + (until > SEND_SILENT_MS ? until : SEND_SILENT_MS);
}

bool send_step_echo(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t now = send_now(s), left;
	struct look look;
	struct view v;

	s->ops->view(s->ctx, &v);
	if (danger(s, &v, &look, why))
		return send_give_up(s, why);
	if (is_echoed(s, &v, &look)) {
		if (!s->more)
			send_tell(s, s->head, RECEIPT_PASTED, "");
		send_enter_step(s, STEP_LOOK, s->enter_delay_ms + SEND_LOOK_MS);
		return true;
	}
	left = echo_until(s) - now;
	/* Perhaps it shows, with what somebody typed beside it. */
	if (left <= 0 && left > -SEND_LOOK_MS && !send_keys_known(s))
		return false;
	if (left <= 0)
		return send_give_up(
		    s, "pasted, but the composer does not show it");
	send_later(s, left);
	return false;
}

static bool press_enter(struct sender *s, const struct view *v,
			const struct look *look)
{
	if (s->ops->write(s->ctx, "\r", 1) != 1)
		return send_give_up(s, "the terminal did not take the Enter");
	s->entered_at = send_now(s);
	s->enter_open = true;
	if (s->more) {
		s->line_at += s->line_len + 1;
		send_enter_step(s, STEP_LINE, SEND_LINE_MS);
		return true;
	}
	view_copy_set(&s->before, v);
	s->entered_draft = look->draft;
	send_enter_step(
	    s, STEP_CONFIRM,
	    (s->adapter->hook != NULL ? SEND_HOOK_MS : SEND_CONFIRM_MS) +
		(int64_t)s->payload.len / 64);
	if (!s->entered_again)
		send_tell(s, s->head, RECEIPT_SUBMITTED, "");
	return true;
}

bool send_enter_again(struct sender *s)
{
	bool busy = s->was_busy, busy_screen = s->was_busy_screen;
	bool queued = s->queued_before;
	char why[SEND_DETAIL];
	struct look look;
	struct view v;

	if (s->ops->refresh != NULL)
		s->ops->refresh(s->ctx);
	s->ops->view(s->ctx, &v);
	if (s->accepted_by != NULL || !send_is_whole(s, &v))
		return false;
	s->entered_again = true;
	if (!danger(s, &v, &look, why) &&
	    s->adapter->enter_became_line(s->rules, &s->before.view, &v))
		return press_enter(s, &v, &look);
	s->was_busy = busy; /* as it was before the first one */
	s->was_busy_screen = busy_screen;
	s->queued_before = queued;
	return false;
}

bool send_step_look(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t now = send_now(s), left = s->step_at + s->enter_delay_ms - now;
	struct look look;
	struct view v;

	if (left > 0 && !s->typed) {
		send_later(s, left);
		return false;
	}
	if (!s->typed && !send_keys_known(s))
		return now >= s->deadline &&
		       send_give_up(s, "tmux does not say whether somebody "
				       "typed meanwhile");
	if (s->ops->refresh != NULL)
		s->ops->refresh(s->ctx);
	s->ops->view(s->ctx, &v);
	if (!send_is_whole(s, &v))
		return false;
	if (danger(s, &v, &look, why))
		return send_give_up(s, why);
	if (s->ops->backlog(s->ctx) == 0 && is_echoed(s, &v, &look))
		return press_enter(s, &v, &look);
	if (now >= s->deadline)
		return send_give_up(s, "the text is no longer in the composer");
	send_later(s, SEND_POLL_MS);
	return false;
}

/* Between two typed lines: what did the one before bring about? */
bool send_step_line(struct sender *s)
{
	char why[SEND_DETAIL];
	int64_t left = s->deadline - send_now(s);
	struct verdict verdict;
	struct look look;
	struct view v;

	if (s->ops->backlog(s->ctx) == 0)
		s->enter_open = false;
	if (left > 0) {
		send_later(s, left);
		return false;
	}
	if (s->ops->refresh != NULL)
		s->ops->refresh(s->ctx);
	s->ops->view(s->ctx, &v);
	if (!send_is_whole(s, &v))
		return false;
	if (danger(s, &v, &look, why))
		return send_give_up(s, why);
	s->ops->verdict(s->ctx, &verdict);
	if (send_is_busy(&verdict) && verdict.source != SOURCE_PROCESS)
		return send_give_up(s,
				    "it began to work after the first lines");
	view_copy_set(&s->before, &v);
	send_load_line(s);
	return true;
}
