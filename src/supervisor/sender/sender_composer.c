/*
 * sender_composer.c - may something be typed into this terminal now?
 *
 * Every reason not to is looked for, the one that a person has to deal with
 * first. The verdict (what the signals say together) and the screen itself
 * are asked both for a question: either is enough to stay away.
 *
 * A paste that did not show may still come up: a harness that does not read
 * for a while (stopped, swapped out) has it in its terminal's queue, and what
 * is pasted next would be read behind it, as one text. So nothing is, until
 * the harness, which has printed since, has shown an empty composer for long.
 * One that showed, and got no Enter (an approval came first), is there again
 * when the composer is.
 */
#include "supervisor/sender/sender_internal.h"

#include <stdio.h>
#include <string.h>

#define LINE_MAX_BYTES 4095 /* of a canonical terminal */

static const char just_sent[] = "the message before has just gone in";

bool sender_is_busy(enum activity a)
{
	return a == ACTIVITY_WORKING || a == ACTIVITY_THINKING;
}

bool sender_is_canonical(struct sender *s, bool *asks_password)
{
	bool canonical = false, echo = true;
	bool known = s->ops->tty(s->ctx, &canonical, &echo);

	if (asks_password != NULL)
		*asks_password = known && canonical && !echo;
	return known && canonical;
}

static enum obstacle say(char *why, enum obstacle o, const char *text,
			 const char *detail)
{
	snprintf(why, SENDER_DETAIL, "%s%s%s", text,
		 detail[0] != '\0' ? ": " : "", detail);
	return o;
}

/* -- what is not seen at once -------------------------------------------- */

bool sender_keys_known(struct sender *s)
{
	int64_t now = sender_now(s);
	int asked = -1;

	if (s->keys == KEYS_KNOWN)
		return true;
	if (s->keys == KEYS_UNASKED && now >= s->ask_at)
		asked = s->ops->ask_typed ? s->ops->ask_typed(s->ctx) : 0;
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

/* -- a paste that did not show ------------------------------------------- */

void sender_drop_stray(struct sender *s)
{
	buf_finish(&s->stray.text);
	memset(&s->stray, 0, sizeof s->stray);
}

bool sender_keep_stray(struct sender *s)
{
	bool seen = s->step == STEP_LOOK || s->step == STEP_CONFIRM;

	if (s->step != STEP_PASTE && s->step != STEP_ECHO && !seen)
		return false;
	sender_drop_stray(s);
	buf_add(&s->stray.text, s->payload.data + s->line_at, s->line_len);
	s->stray.id = s->message->id;
	s->stray.seen = seen;
	s->stray.typed = s->typed;
	s->stray.printed = seen || (s->step == STEP_ECHO &&
				    s->printed_last >= s->step_at + WHOLE_MS);
	return !seen;
}

void sender_type_beside(struct sender *s)
{
	struct look look;
	struct screen_view v;

	if (s->stray.text.len == 0)
		return;
	sender_see(s, &v, &look);
	/* Else it is what is open in its place that gets the keys. */
	s->stray.typed |= look.composer != COMPOSER_ABSENT;
}

static bool is_stray(struct sender *s, const struct screen_view *v)
{
	/* The same view before and now: only what stands at the cursor. */
	return s->stray.text.len > 0 &&
	       adapter_echoed(s->adapter, s->rules, v, v, s->stray.text.data,
			      s->stray.text.len);
}

/* True while it may still come up, or stands there. */
static bool stray_may_come(struct sender *s, const struct screen_view *v,
			   enum composer composer)
{
	int64_t now = sender_now(s);

	if (s->stray.text.len == 0)
		return false;
	if (!s->stray.printed || composer == COMPOSER_DRAFT ||
	    composer == COMPOSER_ABSENT ||
	    (composer == COMPOSER_UNKNOWN && is_stray(s, v)))
		s->stray.empty_since = 0;
	else if (s->stray.empty_since == 0)
		s->stray.empty_since = now;
	else if (now - s->stray.empty_since >=
		 (s->stray.seen ? FIRST_SETTLE_MS : STUCK_MS))
		sender_drop_stray(s);
	return s->stray.text.len > 0;
}

/* -- obstacles ----------------------------------------------------------- */

/* The composer is where it should be and empty; anything else? */
static enum obstacle small_obstacle(struct sender *s, char *why)
{
	int64_t now = sender_now(s);
	int64_t typed = s->typed_at != 0 ? s->typed_at + PAUSE_MS - now : 0;
	int64_t entered =
	    s->entered_at != 0 ? s->entered_at + PAUSE_MS - now : 0;

	if (s->ops->backlog(s->ctx) > 0)
		return say(why, OBSTACLE_MOMENT,
			   "the harness does not read its terminal", "");
	if (typed <= 0 && entered <= 0)
		return OBSTACLE_NONE;
	sender_later(s, typed > 0 ? typed : entered);
	return say(why, OBSTACLE_MOMENT,
		   typed > 0 ? "the user is typing" : just_sent, "");
}

static enum obstacle busy_obstacle(const struct verdict *v, char *why)
{
	if (v->source == SOURCE_PROCESS)
		return say(why, OBSTACLE_SEEMS_BUSY, "it seems to work",
			   v->detail);
	return say(why, OBSTACLE_BUSY, "it works", v->detail);
}

/*
 * An interrupt puts the prompt back into some composers, whoever pressed the
 * key. Where the draft is to the last character the message that the harness
 * had accepted last, it is nobody's work and may be cleared; so may a paste
 * that came up when its message had been given up, where nobody has typed
 * since.
 */
static bool is_own_draft(struct sender *s, const struct screen_view *v,
			 const struct look *look)
{
	return s->adapter->clear_draft != NULL &&
	       ((s->own_draft != 0 && look->draft - s->own_draft <= 1) ||
		(!s->stray.typed && is_stray(s, v)));
}

/* A message of ours is the draft, or begins it, and is not ours to clear. */
static bool is_left(struct sender *s, const struct screen_view *v,
		    const struct look *look)
{
	return s->stray.text.len > 0 && look->composer == COMPOSER_DRAFT &&
	       ((s->stray.seen && !s->stray.typed) || is_stray(s, v)) &&
	       !is_own_draft(s, v, look);
}

static void describe_left(const struct sender *s, char *why)
{
	const char *key = s->adapter->clear_key;

	snprintf(why, SENDER_DETAIL,
		 "message %lld was left in its composer: %s%s",
		 (long long)s->stray.id, key ? key : "clear it there",
		 key ? " clears it" : "");
}

static enum obstacle draft_obstacle(struct sender *s,
				    const struct screen_view *v,
				    const struct look *look,
				    const struct verdict *verdict, char *why)
{
	enum obstacle o;

	/* The screen may still show what has just gone in. */
	if (s->entered_at != 0 && sender_now(s) - s->entered_at < PAUSE_MS)
		return small_obstacle(s, why);
	if (is_left(s, v, look)) {
		describe_left(s, why);
		return OBSTACLE_DRAFT;
	}
	if (!is_own_draft(s, v, look))
		return say(why, OBSTACLE_DRAFT, "its composer holds a draft",
			   "");
	/* The key that clears it interrupts a turn, too: also with --now. */
	if (sender_is_busy(verdict->activity))
		return busy_obstacle(verdict, why);
	o = small_obstacle(s, why);
	return o != OBSTACLE_NONE
		   ? o
		   : say(why, OBSTACLE_OWN_DRAFT,
			 "the message before was put back into its composer",
			 "");
}

/* The composer is there; what is typed into it may not count yet. */
static void look_ready(struct sender *s, const struct look *look,
		       const struct verdict *verdict)
{
	int64_t now = sender_now(s);

	if (s->ready)
		return;
	if (look->composer == COMPOSER_UNKNOWN)
		s->ready = verdict->activity != ACTIVITY_NONE ||
			   sender_is_canonical(s, NULL);
	if (look->composer != COMPOSER_EMPTY &&
	    look->composer != COMPOSER_DRAFT) {
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
	struct look look;
	struct screen_view v;

	if (s->ready && s->stray.text.len == 0)
		return;
	s->ops->verdict(s->ctx, &verdict);
	sender_see(s, &v, &look);
	if (!verdict.starting_up && !look.reading.question)
		look_ready(s, &look, &verdict);
	s->stray.left =
	    stray_may_come(s, &v, look.composer) && is_left(s, &v, &look);
}

bool sender_has_left(const struct sender *s, char *why)
{
	if (s->stray.left)
		describe_left(s, why);
	return s->stray.left;
}

/* By the screen; busy: it works, and that counts. */
static enum obstacle seen_obstacle(struct sender *s,
				   const struct screen_view *v,
				   const struct look *look,
				   const struct verdict *verdict, bool busy,
				   char *why)
{
	bool may_come = stray_may_come(s, v, look->composer);

	if (look->composer == COMPOSER_DRAFT)
		return draft_obstacle(s, v, look, verdict, why);
	/* Only a person can close what is open in its place. */
	if (look->composer == COMPOSER_ABSENT &&
	    verdict->activity == ACTIVITY_WAITING_FOR_INPUT)
		return say(why, OBSTACLE_OPEN, verdict->detail, "");
	if (look->overlay)
		return say(why, OBSTACLE_OPEN,
			   "something is open in its composer's place",
			   look->reading.detail);
	if (may_come && look->composer != COMPOSER_ABSENT) {
		sender_later(s, FIRST_SETTLE_MS);
		snprintf(why, SENDER_DETAIL,
			 "message %lld was pasted, and may still come up in "
			 "its composer",
			 (long long)s->stray.id);
		return OBSTACLE_STRAY;
	}
	if (busy)
		return busy_obstacle(verdict, why);
	if (!s->ready)
		return say(why, OBSTACLE_STARTING, "it is still starting", "");
	if (look->composer == COMPOSER_ABSENT)
		return say(why, OBSTACLE_ABSENT,
			   "its composer is not on the screen (a dialog, "
			   "a pager?)",
			   "");
	return small_obstacle(s, why);
}

enum obstacle sender_obstacle(struct sender *s, unsigned flags, bool all,
			      char *why)
{
	bool now = flags & SENDER_NOW, busy, asks_password;
	struct verdict verdict;
	struct look look;
	enum obstacle o;
	struct screen_view v;

	sender_is_canonical(s, &asks_password);
	s->ops->verdict(s->ctx, &verdict);
	busy = sender_is_busy(verdict.activity) && !now;
	if (asks_password)
		return say(why, OBSTACLE_PASSWORD,
			   "the terminal asks for a password", "");
	if (verdict.question)
		return say(why, OBSTACLE_QUESTION, "it asks something first",
			   verdict.detail);
	if (busy && !all)
		return busy_obstacle(&verdict, why);
	if (verdict.hooks_running && !now)
		return say(why, OBSTACLE_SEEMS_BUSY,
			   "hooks of its turn's end may still run", "");
	sender_see(s, &v, &look);
	if (look.reading.question)
		return say(why, OBSTACLE_QUESTION, "it asks something first",
			   look.reading.detail);
	/* Its composer is there, and not yet as it will be. */
	if (verdict.starting_up && !now)
		return say(why, OBSTACLE_STARTING, "it sets itself up", "");
	look_ready(s, &look, &verdict);
	o = seen_obstacle(s, &v, &look, &verdict, busy, why);
	/* It would make one message of both. */
	if (o == OBSTACLE_NONE && look.queued && !now)
		return say(why, OBSTACLE_SEEMS_BUSY,
			   "a message waits in its own queue", "");
	return o;
}

bool sender_fits(const struct screen_view *v, const char *text, size_t len,
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
			 "the harness takes no bracketed paste, so each line "
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
