/*
 * sender_composer.c - whether something may be typed into the terminal now; and
 * what all steps use: the timer, and whether the screen is new.
 *
 * Checks every obstacle, beginning with those that need a person. Both
 * the verdict (all signals together) and the screen itself can show a question:
 * either is enough to wait.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

#define DRAWN_MS       2000 /* without output: it has drawn its start */
#define LINE_MAX_BYTES 4095 /* of a canonical terminal */

static const char just_sent[] = "the previous message was delivered just now";

void sender_later(struct sender *s, int64_t delay_ms)
{
	int64_t at = sender_now(s) + (delay_ms > 0 ? delay_ms : 0);

	if (s->due == 0 || at < s->due)
		s->due = at;
	s->ops->later(s->ctx, s->due - sender_now(s));
}

bool sender_is_fresh(struct sender *s)
{
	s->wants_fresh = !s->fresh;
	return s->fresh;
}

void sender_enter_step(struct sender *s, enum step step, int64_t limit_ms)
{
	s->step = step;
	s->step_at = sender_now(s);
	s->updating_at = 0;
	s->deadline = s->step_at + limit_ms;
}

/* -- what takes time to know --------------------------------------------- */

bool sender_is_canonical(struct sender *s, bool *asks_password)
{
	bool canonical = false, echo = true;
	bool known = s->ops->tty(s->ctx, &canonical, &echo);

	if (asks_password != NULL)
		*asks_password = known && canonical && !echo;
	return known && canonical;
}

static enum obstacle set_obstacle(char *why, enum obstacle o, const char *text,
				  const char *detail)
{
	snprintf(why, SENDER_DETAIL, "%s%s%s", text,
		 detail[0] != '\0' ? ": " : "", detail);
	return o;
}

bool sender_keys_known(struct sender *s)
{
	int64_t now = sender_now(s);
	int asked = -1;

	if (s->keys == KEYS_KNOWN)
		return true;
	if (s->keys == KEYS_UNASKED && now >= s->ask_at)
		asked = s->ops->query_typed ? s->ops->query_typed(s->ctx) : 0;
	if (asked > 0)
		s->keys = KEYS_ASKED;
	if (asked != 0)
		sender_later(s, POLL_MS);
	return asked == 0;
}

bool sender_is_whole(struct sender *s, const struct screen_view *v)
{
	int64_t now = sender_now(s);

	if (!v->updating)
		s->updating_at = 0;
	else if (s->updating_at == 0)
		s->updating_at = now;
	if (!v->updating || now - s->updating_at >= WHOLE_MS)
		return true;
	sender_later(s, POLL_MS);
	return false;
}

/* -- obstacles ----------------------------------------------------------- */

/* Returns the obstacles that remain when the composer is shown and empty. */
static enum obstacle momentary_obstacle(struct sender *s, char *why)
{
	int64_t now = sender_now(s);
	int64_t typed = s->typed_at != 0 ? s->typed_at + PAUSE_MS - now : 0;
	int64_t entered =
	    s->entered_at != 0 ? s->entered_at + PAUSE_MS - now : 0;

	if (s->ops->may_type && !s->ops->may_type(s->ctx))
		return set_obstacle(why, OBSTACLE_MOMENT,
				    "an answer is being typed", "");
	if (s->ops->backlog(s->ctx) > 0)
		return set_obstacle(why, OBSTACLE_MOMENT,
				    "the agent does not read its terminal", "");
	if (typed <= 0 && entered <= 0)
		return OBSTACLE_NONE;
	sender_later(s, typed > 0 ? typed : entered);
	return set_obstacle(why, OBSTACLE_MOMENT,
			    typed > 0 ? "the user is typing" : just_sent, "");
}

static enum obstacle busy_obstacle(const struct verdict *v, char *why)
{
	if (v->source == SOURCE_PROCESS)
		return set_obstacle(why, OBSTACLE_SEEMS_BUSY,
				    "it seems to be working", v->detail);
	return set_obstacle(why, OBSTACLE_BUSY, "it is working", v->detail);
}

static enum obstacle draft_obstacle(struct sender *s,
				    const struct screen_view *v,
				    const struct screen_state *shown,
				    const struct verdict *verdict, char *why)
{
	enum obstacle o;

	/* The screen may still show the message that was just submitted. */
	if (s->entered_at != 0 && sender_now(s) - s->entered_at < PAUSE_MS)
		return momentary_obstacle(s, why);
	if (sender_is_left(s, v, shown)) {
		sender_describe_leftover(s, why);
		return OBSTACLE_DRAFT;
	}
	if (!sender_is_own_draft(s, v, shown))
		return set_obstacle(why, OBSTACLE_DRAFT,
				    "its input field holds a draft", "");
	/* The key that clears it also interrupts a turn: wait, even with --now.
	 */
	if (sender_is_busy(verdict->activity))
		return busy_obstacle(verdict, why);
	o = momentary_obstacle(s, why);
	return o != OBSTACLE_NONE ? o
				  : set_obstacle(why, OBSTACLE_OWN_DRAFT,
						 "the previous message was put "
						 "back into its input field",
						 "");
}

/* Returns whether a harness whose composer is unknown accepts input. At its
 * start its terminal reads lines, whatever the harness will do: that counts
 * only for a command without a section. */
static bool is_ready_unseen(struct sender *s, const struct screen_state *shown,
			    const struct verdict *verdict)
{
	bool reported = verdict->activity != ACTIVITY_NONE &&
			(verdict->source != SOURCE_PROCESS ||
			 verdict->activity == ACTIVITY_IDLE);
	bool drawn =
	    s->printed_last != 0 && sender_now(s) - s->printed_last >= DRAWN_MS;

	if (rules_has(s->rules, "idle"))
		return shown->reading.activity == ACTIVITY_IDLE;
	return reported || drawn ||
	       (!rules_get(s->rules, "command") &&
		(verdict->activity != ACTIVITY_NONE ||
		 sender_is_canonical(s, NULL)));
}

/* Sets ready when the composer is shown and accepts input. */
static void update_ready(struct sender *s, const struct screen_state *shown,
			 const struct verdict *verdict)
{
	int64_t now = sender_now(s);

	if (s->ready)
		return;
	if (shown->composer == COMPOSER_UNKNOWN)
		s->ready = is_ready_unseen(s, shown, verdict);
	if (shown->composer != COMPOSER_EMPTY &&
	    shown->composer != COMPOSER_DRAFT) {
		s->shown_since = 0;
		return;
	}
	if (s->shown_since == 0)
		s->shown_since = now;
	if (!s->adapter->ready_by_hook || s->hooked ||
	    now - s->shown_since >= ACT_MS)
		s->ready = true;
}

void sender_note_screen(struct sender *s)
{
	struct verdict verdict;
	struct screen_state shown;
	struct screen_view v;

	if (s->ready && s->leftover.text.len == 0)
		return;
	s->ops->verdict(s->ctx, &verdict);
	sender_read_screen(s, &v, &shown);
	if (!verdict.starting_up && !shown.reading.question)
		update_ready(s, &shown, &verdict);
	s->leftover.left = sender_leftover_may_appear(s, &v, shown.composer) &&
			   (sender_is_left(s, &v, &shown) ||
			    (s->leftover.entered && !s->leftover.typed &&
			     shown.composer == COMPOSER_DRAFT));
}

/* Returns the obstacle that the screen shows. busy: the harness works and the
 * message has to wait for that. */
static enum obstacle screen_obstacle(struct sender *s,
				     const struct screen_view *v,
				     const struct screen_state *shown,
				     const struct verdict *verdict, bool busy,
				     char *why)
{
	bool may_come = sender_leftover_may_appear(s, v, shown->composer);

	if (shown->composer == COMPOSER_DRAFT)
		return draft_obstacle(s, v, shown, verdict, why);
	/* Only a person can close what is open in place of the composer. */
	if (shown->composer == COMPOSER_ABSENT &&
	    verdict->activity == ACTIVITY_WAITING_FOR_INPUT)
		return set_obstacle(why, OBSTACLE_OPEN, verdict->detail, "");
	if (shown->overlay)
		return set_obstacle(
		    why, OBSTACLE_OPEN,
		    "something is open in place of its input field",
		    shown->reading.detail);
	if (may_come && shown->composer != COMPOSER_ABSENT) {
		sender_later(s, FIRST_SETTLE_MS);
		snprintf(why, SENDER_DETAIL,
			 "message %lld was pasted, and may still appear in its "
			 "composer",
			 (long long)s->leftover.id);
		return OBSTACLE_LEFTOVER;
	}
	if (busy)
		return busy_obstacle(verdict, why);
	if (!s->ready)
		return set_obstacle(why, OBSTACLE_STARTING,
				    "it is still starting", "");
	if (shown->composer == COMPOSER_ABSENT)
		return set_obstacle(
		    why, OBSTACLE_ABSENT,
		    "its input field is not on the screen (a dialog, "
		    "a pager?)",
		    "");
	return momentary_obstacle(s, why);
}

/* A message that is being typed is finished. */
static enum obstacle withheld_obstacle(struct sender *s, char *why)
{
	const char *text = "";
	enum withheld w = s->step == STEP_WAIT && s->ops->withhold
			      ? s->ops->withhold(s->ctx, &text)
			      : WITHHELD_NOT;

	return !w ? OBSTACLE_NONE
		  : set_obstacle(why,
				 w == WITHHELD_BUDGET ? OBSTACLE_BUDGET
						      : OBSTACLE_MOMENT,
				 text, "");
}

enum obstacle sender_obstacle(struct sender *s, unsigned flags, bool all,
			      char *why)
{
	bool now = flags & SENDER_NOW, busy, asks_password;
	struct verdict verdict;
	struct screen_state shown;
	enum obstacle o;
	struct screen_view v;

	sender_is_canonical(s, &asks_password);
	s->ops->verdict(s->ctx, &verdict);
	busy = sender_is_busy(verdict.activity) && !now;
	if (asks_password)
		return set_obstacle(why, OBSTACLE_PASSWORD,
				    "the terminal asks for a password", "");
	if (verdict.question)
		return set_obstacle(why, OBSTACLE_QUESTION,
				    "it asks something first", verdict.detail);
	if (busy && !all)
		return busy_obstacle(&verdict, why);
	if (verdict.hooks_running && !now)
		return set_obstacle(why, OBSTACLE_SEEMS_BUSY,
				    "hooks of its turn's end may still run",
				    "");
	sender_read_screen(s, &v, &shown);
	if (shown.reading.question)
		return set_obstacle(why, OBSTACLE_QUESTION,
				    "it asks something first",
				    shown.reading.detail);
	/* Its composer is shown, but not complete yet. */
	if (verdict.starting_up && !now)
		return set_obstacle(why, OBSTACLE_STARTING,
				    "it is still setting up", "");
	update_ready(s, &shown, &verdict);
	o = screen_obstacle(s, &v, &shown, &verdict, busy, why);
	/* The harness would merge both messages into one. */
	if (o == OBSTACLE_NONE && shown.queued && !now)
		return set_obstacle(why, OBSTACLE_SEEMS_BUSY,
				    "its own queue holds a message", "");
	if (o == OBSTACLE_NONE && s->held)
		return set_obstacle(why, OBSTACLE_BUSY, s->held, "");
	if (o == OBSTACLE_NONE && s->message && s->message->id <= s->held_to)
		return set_obstacle(why, OBSTACLE_BUSY, "it needs a login", "");
	return o == OBSTACLE_NONE ? withheld_obstacle(s, why) : o;
}

bool sender_may_be_text(const struct sender *s, const char *text, size_t len,
			unsigned flags, char *why)
{
	if (flags & SENDER_RAW ||
	    !adapter_refuses(s->adapter, s->rules, text, len))
		return true;
	snprintf(why, SENDER_DETAIL,
		 "the agent may read it as a command: it begins with / or !, "
		 "or is exit or quit");
	return false;
}

bool sender_can_type(const struct screen_view *v, const char *text, size_t len,
		     unsigned flags, char *why)
{
	size_t longest = 0, line = 0;

	if (v->bracketed_paste)
		return true;
	for (size_t i = 0; i < len; i++) {
		line = text[i] == '\n' ? 0 : line + 1;
		longest = line > longest ? line : longest;
	}
	if (!(flags & SENDER_RAW) && memchr(text, '\n', len) != NULL)
		snprintf(why, SENDER_DETAIL,
			 "the agent takes no bracketed paste, so each line "
			 "of the message would be a message of its own");
	else if (longest > LINE_MAX_BYTES)
		snprintf(why, SENDER_DETAIL,
			 "a line of the message has %zu bytes; without "
			 "bracketed paste a terminal takes %d",
			 longest, LINE_MAX_BYTES);
	else
		return true;
	return false;
}
