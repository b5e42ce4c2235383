/*
 * sender_leftover.c - a text that was pasted and, as far as is known, not
 * accepted.
 *
 * A paste that was not shown may still appear. If a harness does not read for a
 * while (stopped, swapped out), the paste is in its terminal's queue, and the
 * next paste would be read right after it, as one text. So nothing is pasted
 * until the harness has printed again and has shown an empty composer for long.
 * A paste that was shown and got no Enter (an approval came first) is shown
 * again when the composer is.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

void sender_drop_leftover(struct sender *s)
{
	buf_finish(&s->leftover.text);
	memset(&s->leftover, 0, sizeof s->leftover);
}

bool sender_record_leftover(struct sender *s)
{
	bool seen = s->step == STEP_CHECK || s->step == STEP_CONFIRM;

	if (s->step != STEP_PASTE && s->step != STEP_ECHO && !seen)
		return false;
	sender_drop_leftover(s);
	buf_add(&s->leftover.text, s->payload.data + s->line_at, s->line_len);
	s->leftover.id = s->message->id;
	s->leftover.seen = seen;
	s->leftover.entered = s->step == STEP_CONFIRM;
	s->leftover.typed = s->typed;
	s->leftover.printed =
	    seen ||
	    (s->step == STEP_ECHO && s->printed_last >= s->step_at + WHOLE_MS);
	return !seen;
}

void sender_note_typed(struct sender *s)
{
	struct screen_state shown;
	struct screen_view v;

	if (s->leftover.text.len == 0)
		return;
	sender_read_screen(s, &v, &shown);
	/* Otherwise the keys go to what is open in its place. */
	s->leftover.typed |= shown.composer != COMPOSER_ABSENT;
}

static bool is_leftover(struct sender *s, const struct screen_view *v)
{
	/* The same view before and now: only the text at the cursor is
	 * compared. */
	return s->leftover.text.len > 0 &&
	       adapter_echoed(s->adapter, s->rules, v, v, s->leftover.text.data,
			      s->leftover.text.len);
}

bool sender_is_held(const struct sender *s)
{
	return s->message != NULL && s->leftover.held &&
	       s->leftover.id == s->message->id;
}

/* Returns whether a person may send the text, or have sent it. */
static bool may_be_sent(const struct sender *s)
{
	return sender_is_held(s) && s->leftover.shown && !s->message->cleared;
}

/* The composer has been empty for long enough. */
static void end_leftover(struct sender *s)
{
	struct verdict verdict;

	s->ops->verdict(s->ctx, &verdict);
	if (may_be_sent(s) &&
	    (s->leftover.turned || sender_is_busy(verdict.activity)))
		s->leftover.sent = SENT_PERHAPS;
	else
		sender_drop_leftover(s);
}

bool sender_leftover_may_appear(struct sender *s, const struct screen_view *v,
				enum composer composer)
{
	int64_t now = sender_now(s);

	if (s->leftover.text.len == 0)
		return false;
	s->leftover.shown |= composer == COMPOSER_DRAFT;
	if (!s->leftover.printed || composer == COMPOSER_DRAFT ||
	    composer == COMPOSER_ABSENT ||
	    (composer == COMPOSER_UNKNOWN && is_leftover(s, v)))
		s->leftover.empty_since = 0;
	else if (s->leftover.empty_since == 0)
		s->leftover.empty_since = now;
	else if (now - s->leftover.empty_since >=
		 (s->leftover.seen && !may_be_sent(s) ? FIRST_SETTLE_MS
						      : STUCK_MS))
		end_leftover(s);
	return s->leftover.text.len > 0;
}

/*
 * An interrupt restores the prompt in some composers, also if a person pressed
 * the key. A draft that is exactly the last message that the harness accepted
 * is not the user's work and may be cleared. The same is true for a paste that
 * appeared after its message was given up, if no person has typed since.
 */
bool sender_is_own_draft(struct sender *s, const struct screen_view *v,
			 const struct screen_state *shown)
{
	return adapter_can_clear(s->rules) &&
	       ((s->own_draft != 0 && shown->draft - s->own_draft <= 1) ||
		(!s->leftover.typed && is_leftover(s, v)));
}

bool sender_is_left(struct sender *s, const struct screen_view *v,
		    const struct screen_state *shown)
{
	return s->leftover.text.len > 0 && shown->composer == COMPOSER_DRAFT &&
	       ((s->leftover.seen && !s->leftover.typed) ||
		is_leftover(s, v)) &&
	       !sender_is_own_draft(s, v, shown);
}

void sender_describe_leftover(const struct sender *s, char *why)
{
	_free_ char *key = adapter_clear_key(s->adapter, s->rules);

	snprintf(why, SENDER_DETAIL,
		 "message %lld was left in its input field: %s%s",
		 (long long)s->leftover.id, key ? key : "clear it there",
		 key ? " clears it" : "");
}
