/*
 * sender_confirm.c - finds out whether the harness accepted the message after
 * Enter. It also has the names and exit codes of receipts; a new receipt begins
 * in enum receipt, sender.h (an answer's: approval/answer.c).
 *
 * A hook, the program status, the title or the screen confirms it. If a harness
 * has none of these, SUBMITTED is the final receipt.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <string.h>

#include "adapters/screen/approval.h"
#include "base/utf8.h"
#include "session/typable.h"

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

/* -- whether a reported prompt is a given message ------------------------- */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

#define NO_CHARACTER 1
#define WITH_MARKS   2

static bool is_mark(uint32_t cp)
{
	return (cp >= 0x300 && cp <= 0x36f) || cp == 0x3099 || cp == 0x309a;
}

/* Returns the next character that is not white space; 0 at the end,
 * NO_CHARACTER for an invalid byte, WITH_MARKS for a character with combining
 * marks. */
static uint32_t next_cp(const char *s, size_t len, size_t *i)
{
	uint32_t cp;
	size_t n;

	while (*i < len && is_space(s[*i]))
		(*i)++;
	if (*i >= len)
		return 0;
	n = utf8_decode(s + *i, len - *i, &cp);
	*i += n ? n : 1;
	if (n == 0)
		return NO_CHARACTER;
	for (uint32_t mark;
	     (n = utf8_decode(s + *i, len - *i, &mark)) > 0 && is_mark(mark);
	     *i += n)
		cp = WITH_MARKS;
	return cp;
}

/* One or both may have been composed ("e" and an accent as one character). */
static bool is_same(uint32_t got, uint32_t want)
{
	if (got == WITH_MARKS || want == WITH_MARKS)
		return (got >= 0x80 || got == WITH_MARKS) &&
		       (want >= 0x80 || want == WITH_MARKS);
	/* utf8_printable() replaces what it does not show by '?'. */
	return got == want || got == '?';
}

bool prompt_is_of(const char *text, size_t len, const char *prompt,
		  size_t prompt_max)
{
	size_t plen = strlen(prompt), i = 0, j = 0, end;
	uint32_t want, got;

	if (typable_blank(prompt, plen))
		return true;
	while (is_space(*prompt)) {
		prompt++;
		plen--;
	}
	for (;;) {
		got = next_cp(prompt, plen, &j);
		end = i;
		want = next_cp(text, len, &i);
		/* The prompt may be longer: guards and harnesses add text. */
		if (want == 0)
			return true;
		/* It may end earlier if it was cut: for its length, or at the
		 * end of a line, as adapters do. */
		if (got == 0)
			return plen + 8 >= prompt_max ||
			       memchr(text + end, '\n', i - end) != NULL;
		if (!is_same(got, want))
			return false;
	}
}

/* -- readings ------------------------------------------------------------ */

/* The harness works now, but that does not show on which message. If the
 * harness has hooks, the hook's prompt is waited for. */
static void set_sign(struct sender *s, const char *source)
{
	if (s->mismatch)
		return;
	if (s->adapter->hook == NULL) {
		s->accepted_by = source;
	} else if (s->sign == NULL) {
		s->sign = source;
		s->sign_at = sender_now(s);
	}
}

/* Returns whether m is one of the harness's own commands ("/new"). A command
 * may begin no turn, or a turn with another text. */
static bool is_command(const struct message *m)
{
	return (m->flags & SENDER_RAW) && m->text[0] == '/';
}

void sender_confirm_reading(struct sender *s, const struct reading *r)
{
	const struct message *m = s->message;

	if (s->accepted_by != NULL)
		return;
	if (!r->turn_started) {
		if (sender_is_busy(r->activity) && !s->was_busy)
			set_sign(s, source_name(r->source));
	} else if (is_command(m) ||
		   prompt_is_of(m->text, m->len, r->prompt, sizeof r->prompt) ||
		   prompt_is_of(s->payload.data, s->payload.len, r->prompt,
				sizeof r->prompt)) {
		s->accepted_by = source_name(r->source);
	} else {
		s->mismatch = true;
		s->sign = NULL;
	}
}

void sender_note_turn(struct sender *s, const struct reading *r)
{
	const struct buf *text = &s->leftover.text;

	if (text->len == 0 || r->prompt[0] == '\0')
		return;
	if (!prompt_is_of(text->data, text->len, r->prompt, sizeof r->prompt))
		s->leftover.turned = true;
	else if (s->leftover.held)
		s->leftover.sent = SENT_IT;
	else
		s->ops->accepted(s->ctx, s->leftover.id);
}

/* -- after Enter --------------------------------------------------------- */

/* Returns whether a command is no longer in the composer. */
static bool is_command_taken(const struct sender *s,
			     const struct screen_state *shown)
{
	return is_command(s->message) && s->printed_at != 0 &&
	       (shown->composer == COMPOSER_EMPTY ||
		shown->composer == COMPOSER_ABSENT);
}

static bool end_unconfirmed(struct sender *s, const struct screen_state *shown)
{
	if (is_command_taken(s, shown))
		return sender_end(s, RECEIPT_ACCEPTED,
				  "its input field took the command");
	if (shown->composer == COMPOSER_DRAFT)
		return sender_give_up(s, "Enter was pressed, but the text is "
					 "still in its input field");
	if (shown->reading.question)
		return sender_give_up(
		    s, "Enter was pressed; it asks something now");
	if (s->mismatch)
		return sender_give_up(s, "Enter was pressed, but the agent "
					 "took another text");
	if (s->printed_at == 0)
		return sender_give_up(
		    s, "Enter was pressed, but nothing followed");
	if (s->adapter->hook == NULL && !s->was_busy)
		return sender_end(
		    s, RECEIPT_SUBMITTED,
		    "Enter was pressed and its input field took it; "
		    "this agent shows no more");
	return sender_give_up(
	    s, "Enter was pressed, but no sign of a turn followed");
}

/*
 * A message that is sent into a busy harness, or into the harness's own queue
 * (Gemini CLI, while its servers start), is accepted when the harness comes to
 * it, and its hook reports that. The time limit for that begins when the turn
 * has ended or the message has left the queue. A queue that was shown before
 * Enter is not evidence.
 */
static bool may_yet_come(struct sender *s, const struct screen_state *shown,
			 int64_t now)
{
	struct verdict verdict;
	bool was = s->queued;

	s->queued = shown->queued && !s->queued_before;
	if (s->queued || was)
		s->queued_at = now; /* it is there now, or was until now */
	if (s->mismatch || shown->reading.question ||
	    shown->composer == COMPOSER_DRAFT ||
	    now - s->message->taken_at > QUEUE_MS)
		return false;
	if (s->queued || (s->queued_at != 0 && now - s->queued_at < ACT_MS))
		return true;
	s->ops->verdict(s->ctx, &verdict);
	return (s->message->flags & SENDER_NOW) && s->was_busy &&
	       s->adapter->hook != NULL && sender_is_busy(verdict.activity);
}

/*
 * Enter became a line of the text, so it was read and cannot take effect later.
 * Waits again for what the harness needs before it accepts Enter, checks again,
 * and presses Enter once more.
 */
static bool may_press_again(struct sender *s, const struct screen_state *shown,
			    const struct screen_view *v)
{
	if (s->adapter->enter_became_line == NULL || s->entered_again ||
	    s->typed || shown->composer != COMPOSER_DRAFT ||
	    s->ops->backlog(s->ctx) > 0 ||
	    !s->adapter->enter_became_line(s->rules, &s->before.view, v))
		return false;
	s->entered_again = true;
	sender_enter_step(s, STEP_CHECK,
			  adapter_enter_delay_ms(s->rules) + RECHECK_MS);
	return true;
}

/* Returns whether nothing is known that could confirm a message. */
static bool is_silent(const struct sender *s)
{
	return !s->queued && s->adapter->hook == NULL &&
	       !rules_has(s->rules, "busy") && !rules_has(s->rules, "thinking");
}

static void limit_time(int64_t *left, int64_t ms)
{
	if (ms < *left)
		*left = ms;
}

#define BEGIN_LEN 24 /* bytes: a row may be as narrow as that */

/*
 * Returns whether an approval is up below the message, in the row of the user's
 * last prompt. The turn began, and asked before a screen showed that it works;
 * no earlier turn was left that could ask.
 */
static bool asks_after_it(const struct sender *s, const struct screen_view *v,
			  const struct screen_state *shown)
{
	const struct message *m = s->message;
	size_t len = m->len < BEGIN_LEN ? m->len : BEGIN_LEN;
	const char *eol = memchr(m->text, '\n', len);
	struct approval a;
	int row;

	if (s->adapter->hook != NULL || s->was_busy ||
	    !shown->reading.question || !approval_find(s->rules, v, shown, &a))
		return false;
	row =
	    rules_find(s->rules, "prompt", v->rows, 0, (int)v->nrows, NULL, 0);
	if (eol != NULL)
		len = (size_t)(eol - m->text);
	return row >= 0 && len > 0 &&
	       memmem(v->rows[row], strlen(v->rows[row]), m->text, len);
}

bool sender_step_confirm(struct sender *s)
{
	int64_t now = sender_now(s), left;
	char detail[SENDER_DETAIL];
	struct screen_state shown;
	struct screen_view v;

	if (s->ops->backlog(s->ctx) == 0)
		s->enter_open = false;
	sender_read_screen(s, &v, &shown);
	if (s->accepted_by == NULL && may_press_again(s, &shown, &v))
		return true;
	if (may_yet_come(s, &shown, now) && s->deadline < now + ACT_MS)
		s->deadline = now + ACT_MS;
	left = s->deadline - now;
	if (s->accepted_by == NULL && shown.composer != COMPOSER_DRAFT &&
	    ((sender_is_busy(shown.reading.activity) && !s->was_busy) ||
	     asks_after_it(s, &v, &shown)))
		set_sign(s, source_name(SOURCE_SCREEN));
	if (s->sign != NULL) {
		limit_time(&left, s->sign_at + PAUSE_MS - now);
		if (left <= 0)
			s->accepted_by = s->sign;
	}
	if (s->accepted_by != NULL) {
		/* This sender may be the first part that has the confirmation.
		 * The verdict is computed before the receipt is reported, so
		 * that `afw wait` after `afw send` does not find the previous
		 * turn. */
		if (!sender_is_fresh(s))
			return false;
		snprintf(detail, sizeof detail, "confirmed by %s",
			 s->accepted_by);
		return sender_end(s, RECEIPT_ACCEPTED, detail);
	}
	if (s->printed_at != 0 &&
	    (is_command_taken(s, &shown) ||
	     (shown.composer != COMPOSER_DRAFT && is_silent(s))))
		limit_time(&left, s->printed_at + PAUSE_MS - now);
	if (left <= 0)
		return end_unconfirmed(s, &shown);
	sender_later(s, left);
	return false;
}
