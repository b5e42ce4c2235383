/*
 * send_confirm.c - after Enter: did the harness take the message?
 *
 * A hook, the program status, the title or the screen says so; where a
 * harness has nothing to say it with, SUBMITTED is the last word.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>

#include "supervisor/send_text.h"

/* It works now: by that alone nobody knows on what. Where a hook tells, and
 * hooks have come, its word is waited for. */
static void keep_sign(struct sender *s, const char *source)
{
	if (s->mismatch)
		return;
	if (s->adapter->hook == NULL || !s->hooked) {
		s->accepted_by = source;
	} else if (s->sign == NULL) {
		s->sign = source;
		s->sign_at = send_now(s);
	}
}

/* One of the harness's own commands ("/new"): it need not begin a turn, nor
 * one with this text. */
static bool is_command(const struct message *m)
{
	return (m->flags & SENDER_RAW) && m->text[0] == '/';
}

void send_confirm_reading(struct sender *s, const struct reading *r)
{
	struct verdict now = {.activity = r->activity};

	if (!r->turn_started) {
		if (send_is_busy(&now) && !s->was_busy)
			keep_sign(s, source_name(r->source));
	} else if (is_command(s->head) ||
		   send_text_is_prompt(s->head->text, s->head->len, r->prompt,
				       sizeof r->prompt) ||
		   send_text_is_prompt(s->payload.data, s->payload.len,
				       r->prompt, sizeof r->prompt)) {
		s->accepted_by = source_name(r->source);
	} else {
		s->mismatch = true;
		s->sign = NULL;
	}
}

static bool accept(struct sender *s, const char *source)
{
	char detail[SEND_DETAIL];

	snprintf(detail, sizeof detail, "confirmed by %s", source);
	send_finish(s, RECEIPT_ACCEPTED, detail);
	return true;
}

/* The composer has let it go. */
static bool took_command(const struct sender *s, const struct look *look)
{
	return is_command(s->head) && s->output_after &&
	       look->composer != COMPOSER_DRAFT &&
	       look->composer != COMPOSER_UNKNOWN;
}

static bool end_unconfirmed(struct sender *s, const struct look *look)
{
	if (took_command(s, look)) {
		send_finish(s, RECEIPT_ACCEPTED,
			    "its composer took the command");
		return true;
	}
	if (look->composer == COMPOSER_DRAFT)
		return send_give_up(s, "Enter was pressed, but the text still "
				       "stands in the composer");
	if (look->reading.question)
		return send_give_up(s,
				    "Enter was pressed; it asks something now");
	if (s->mismatch)
		return send_give_up(s,
				    "Enter was pressed, but the harness took "
				    "another text");
	if (!s->output_after)
		return send_give_up(s,
				    "Enter was pressed, but nothing followed");
	if (s->adapter->hook == NULL && !s->was_busy) {
		send_finish(s, RECEIPT_SUBMITTED,
			    "Enter was pressed and the composer took it; this "
			    "harness shows no more");
		return true;
	}
	return send_give_up(
	    s, "Enter was pressed, but no sign of a turn followed");
}

/*
 * A harness that is not ready for a turn may put the message into a queue of
 * its own, and show that. What was shown before Enter says nothing of it.
 */
static void look_for_queue(struct sender *s, const struct look *look,
			   int64_t now)
{
	bool was = s->queued;

	s->queued = look->queued && !s->queued_before;
	if (s->queued || was)
		s->queued_at = now; /* right now, or up to now */
}

/*
 * What goes into a busy harness, or into its queue, is taken when it comes to
 * it, which its hook tells: the time for that does not begin before the turn
 * has ended, or the message has left the queue.
 */
static bool may_yet_come(struct sender *s, const struct look *look, int64_t now)
{
	struct verdict verdict;

	if (s->mismatch || look->reading.question ||
	    look->composer == COMPOSER_DRAFT ||
	    now - s->head->taken_at > SEND_QUEUE_MS)
		return false;
	if (s->queued ||
	    (s->queued_at != 0 && now - s->queued_at < SEND_HOOK_MS))
		return true;
	if (!(s->head->flags & SENDER_NOW) || !s->was_busy ||
	    s->adapter->hook == NULL)
		return false;
	s->ops->verdict(s->ctx, &verdict);
	return send_is_busy(&verdict);
}

/*
 * Enter became a line of the text: it was taken, and none is on its way any
 * more. What it waited for before it takes it as Enter is waited for again.
 */
static bool may_press_again(struct sender *s, const struct look *look,
			    const struct view *v, int64_t now)
{
	if (s->adapter->enter_became_line == NULL || s->entered_again ||
	    s->typed || look->composer != COMPOSER_DRAFT ||
	    s->ops->backlog(s->ctx) > 0 ||
	    !s->adapter->enter_became_line(s->rules, &s->before.view, v)) {
		s->line_since = 0;
		return false;
	}
	if (s->line_since == 0)
		s->line_since = now;
	if (now - s->line_since >= s->enter_delay_ms)
		return send_keys_known(s);
	send_later(s, s->line_since + s->enter_delay_ms - now);
	return false;
}

bool send_step_confirm(struct sender *s)
{
	int64_t now = send_now(s), left;
	struct look look;
	struct view v;
	bool silent, busy;

	if (s->ops->backlog(s->ctx) == 0)
		s->enter_open = false;
	if (s->accepted_by != NULL)
		return accept(s, s->accepted_by);
	s->ops->view(s->ctx, &v);
	adapter_look(s->adapter, s->rules, &v, &look);
	look_for_queue(s, &look, now);
	if (!s->output_after && !view_copy_same(&s->before, &v)) {
		s->output_after = true;
		s->output_at = now;
	}
	if (may_press_again(s, &look, &v, now) && send_enter_again(s))
		return true;
	if (may_yet_come(s, &look, now) && s->deadline < now + SEND_HOOK_MS)
		s->deadline = now + SEND_HOOK_MS;
	left = s->deadline - now;
	busy = look.reading.activity == ACTIVITY_WORKING ||
	       look.reading.activity == ACTIVITY_THINKING;
	if (busy)
		s->signs_seen = true;
	if (busy && !s->was_busy_screen && !s->was_busy &&
	    look.composer != COMPOSER_DRAFT)
		keep_sign(s, source_name(SOURCE_SCREEN));
	if (s->accepted_by == NULL && s->sign != NULL) {
		if (left > s->sign_at + SEND_PROMPT_MS - now)
			left = s->sign_at + SEND_PROMPT_MS - now;
		if (left <= 0)
			s->accepted_by = s->sign;
	}
	if (s->accepted_by != NULL)
		return accept(s, s->accepted_by);
	/* Nothing that could confirm has ever been seen of this harness. */
	silent = !s->queued && s->adapter->hook == NULL &&
		 s->adapter->title_says == NULL && !s->signs_seen &&
		 !rules_has(s->rules, "busy") &&
		 !rules_has(s->rules, "thinking");
	if (((silent && s->output_after && look.composer != COMPOSER_DRAFT) ||
	     took_command(s, &look)) &&
	    s->output_at + SEND_SIGN_MS - now < left)
		left = s->output_at + SEND_SIGN_MS - now;
	if (left <= 0)
		return end_unconfirmed(s, &look);
	send_later(s, left);
	return false;
}
