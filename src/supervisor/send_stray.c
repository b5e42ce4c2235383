/*
 * send_stray.c - a paste that did not show, and may still come up.
 *
 * A harness that does not read for a while (stopped, swapped out) has what
 * was pasted in its terminal's queue, and its screen shows an empty
 * composer. What is pasted next would be read behind it, as one text. So
 * nothing is, until one of these was seen: it was in the composer and is
 * not any more; or the harness, which has printed since, shows an empty
 * composer for so long that it has dropped it.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>

void send_stray_drop(struct sender *s)
{
	buf_finish(&s->stray.text);
	s->stray = (struct stray){0};
}

bool send_stray_keep(struct sender *s)
{
	/* Later than that it has been seen, and can be again. */
	if ((s->step != STEP_PASTE && s->step != STEP_ECHO) || s->out_at == 0)
		return false;
	send_stray_drop(s);
	buf_add(&s->stray.text, s->payload.data + s->line_at, s->line_len);
	s->stray.id = s->head->id;
	s->stray.printed = s->step == STEP_ECHO &&
			   s->printed_last >= s->step_at + SEND_PRINTS_MS;
	return true;
}

bool send_stray_is_draft(struct sender *s, const struct view *v)
{
	/* The same view before and now: only what stands at the cursor. */
	return s->stray.text.len > 0 &&
	       adapter_echoed(s->adapter, s->rules, v, v, s->stray.text.data,
			      s->stray.text.len);
}

static enum obstacle may_come(struct sender *s, char *why)
{
	snprintf(why, SEND_DETAIL,
		 "message %lld was pasted, and may still come up in its "
		 "composer",
		 (long long)s->stray.id);
	return OBSTACLE_STRAY;
}

enum obstacle send_stray_look(struct sender *s, const struct view *v,
			      enum composer composer, char *why)
{
	int64_t now = send_now(s), left;

	if (s->stray.text.len == 0)
		return OBSTACLE_NONE;
	if (composer == COMPOSER_DRAFT || composer == COMPOSER_ABSENT) {
		s->stray.empty_since = 0;
		if (composer == COMPOSER_DRAFT && send_stray_is_draft(s, v))
			s->stray.seen = true;
		return OBSTACLE_NONE; /* they are obstacles themselves */
	}
	if (composer == COMPOSER_UNKNOWN && send_stray_is_draft(s, v)) {
		s->stray.seen = true;
		s->stray.empty_since = 0;
		return may_come(s, why);
	}
	if (!s->stray.printed && !s->stray.seen)
		return may_come(s, why);
	if (s->stray.empty_since == 0)
		s->stray.empty_since = now;
	left = s->stray.empty_since + SEND_EATEN_MS - now;
	if (left > 0 && !s->stray.seen) {
		send_later(s, left);
		return may_come(s, why);
	}
	send_stray_drop(s);
	return OBSTACLE_NONE;
}
