/*
 * send_free.c - may something be typed into this terminal now?
 *
 * Every reason not to is looked for, the one that a person has to deal with
 * first. The verdict (what the signals say together) and the screen itself
 * are asked both for a question: either is enough to stay away.
 */
#include "supervisor/send_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "supervisor/send_text.h"

void view_copy_finish(struct view_copy *c)
{
	free(c->text);
	free(c->rows);
	*c = (struct view_copy){0};
}

static char *copy_row(char **at, const char *row)
{
	size_t n = strlen(row) + 1;
	char *to = *at;

	memcpy(to, row, n);
	*at += n;
	return to;
}

void view_copy_set(struct view_copy *c, const struct view *v)
{
	const char *title = v->title != NULL ? v->title : "";
	size_t bytes = strlen(title) + 1;
	char *at;

	view_copy_finish(c);
	for (size_t i = 0; i < v->nrows; i++)
		bytes += strlen(v->rows[i]) + strlen(v->solid[i]) + 2;
	at = c->text = mem_alloc(bytes);
	c->rows = mem_alloc((2 * v->nrows + 1) * sizeof *c->rows);
	for (size_t i = 0; i < v->nrows; i++) {
		c->rows[i] = copy_row(&at, v->rows[i]);
		c->rows[v->nrows + i] = copy_row(&at, v->solid[i]);
	}
	c->view = *v;
	c->view.rows = c->rows;
	c->view.solid = c->rows + v->nrows;
	c->view.lit = NULL;
	c->view.title = copy_row(&at, title);
}

bool view_copy_same(const struct view_copy *c, const struct view *v)
{
	const struct view *old = &c->view;

	if (old->nrows != v->nrows || old->cursor_row != v->cursor_row ||
	    old->cursor_col != v->cursor_col)
		return false;
	for (size_t i = 0; i < v->nrows; i++)
		if (strcmp(old->rows[i], v->rows[i]) != 0)
			return false;
	return true;
}

bool send_is_busy(const struct verdict *v)
{
	return v->activity == ACTIVITY_WORKING ||
	       v->activity == ACTIVITY_THINKING;
}

static enum obstacle say(char *why, enum obstacle o, const char *text,
			 const char *detail)
{
	snprintf(why, SEND_DETAIL, "%s%s%s", text,
		 detail[0] != '\0' ? ": " : "", detail);
	return o;
}

static enum obstacle say_busy(char *why, const struct verdict *v)
{
	if (v->source == SOURCE_PROCESS)
		return say(why, OBSTACLE_SEEMS_BUSY, "it seems to work",
			   v->detail);
	return say(why, OBSTACLE_BUSY, "it works", v->detail);
}

static const char just_sent[] = "the message before has just gone in";

static bool just_entered(const struct sender *s, int64_t now)
{
	return s->entered_at != 0 && now - s->entered_at < SEND_TURN_GAP_MS;
}

/* The composer is where it should be and empty; anything else? */
static enum obstacle small_obstacle(struct sender *s, int64_t now, char *why)
{
	if (s->owes_end || s->ops->backlog(s->ctx) > 0)
		return say(why, OBSTACLE_BACKLOG,
			   "the harness does not read its terminal", "");
	if (s->typed_at != 0 && now - s->typed_at < SEND_TYPING_MS)
		return say(why, OBSTACLE_TYPING, "somebody is typing", "");
	if (just_entered(s, now))
		return say(why, OBSTACLE_SETTLING, just_sent, "");
	return OBSTACLE_NONE;
}

/*
 * An interrupt puts the prompt back into some composers, whoever pressed the
 * key. Where the draft is to the last character the message that the harness
 * had accepted last, it is nobody's work and may be cleared; so may a paste
 * that came up when its message had been given up, where nobody has typed
 * since.
 */
static bool is_own_draft(struct sender *s, const struct view *v,
			 const struct look *look)
{
	if (s->adapter->clear_draft == NULL)
		return false;
	return (s->own_draft != 0 && look->draft - s->own_draft <= 1) ||
	       (!s->typed && send_stray_is_draft(s, v));
}

static enum obstacle own_draft(struct sender *s, char *why)
{
	enum obstacle o = small_obstacle(s, s->ops->now(s->ctx), why);

	if (o != OBSTACLE_NONE)
		return o;
	return say(why, OBSTACLE_OWN_DRAFT,
		   "the message before was put back into its composer", "");
}

bool send_keys_known(struct sender *s)
{
	int64_t now = s->ops->now(s->ctx);
	int asked;

	if (s->keys == KEYS_ANSWERED)
		return true;
	if (s->unanswered_at != 0 && s->keys == KEYS_UNASKED &&
	    now - s->asked_at < SEND_ASK_AGAIN_MS) {
		send_later(s, s->asked_at + SEND_ASK_AGAIN_MS - now);
		return false;
	}
	if (s->keys == KEYS_UNASKED) {
		s->asked_at = now;
		asked = s->ops->ask_typed ? s->ops->ask_typed(s->ctx) : 0;
		if (asked == 0)
			return true;
		if (asked > 0)
			s->keys = KEYS_ASKED;
	}
	send_later(s, SEND_POLL_MS);
	return false;
}

bool send_is_whole(struct sender *s, const struct view *v)
{
	int64_t now = s->ops->now(s->ctx);

	if (!v->updating)
		s->updating_at = 0;
	else if (s->updating_at == 0)
		s->updating_at = now;
	if (!v->updating || now - s->updating_at >= SEND_UPDATE_MS)
		return true;
	send_later(s, SEND_POLL_MS);
	return false;
}

/* The composer is there; does what is typed into it count yet? */
static bool takes_messages(struct sender *s)
{
	int64_t now = s->ops->now(s->ctx), left;

	if (!s->adapter->ready_by_hook || s->hooked)
		return true;
	if (s->shown_since == 0)
		s->shown_since = now;
	left = s->shown_since + SEND_HOOKLESS_MS - now;
	return left <= 0;
}

static void get_ready(struct sender *s)
{
	if (s->ready || !takes_messages(s))
		return;
	s->ready = true;
	s->ready_at = s->ops->now(s->ctx);
}

/* By what needs no look at the screen. */
static enum obstacle told_obstacle(const struct verdict *v, unsigned flags,
				   bool asks_password, bool screen, char *why)
{
	if (asks_password)
		return say(why, OBSTACLE_PASSWORD,
			   "the terminal asks for a password", "");
	if (v->question)
		return say(why, OBSTACLE_QUESTION, "it asks something first",
			   v->detail);
	if (flags & SENDER_NOW)
		return OBSTACLE_NONE;
	if (send_is_busy(v) && !screen)
		return say_busy(why, v);
	if (v->winds_up)
		return say(why, OBSTACLE_SEEMS_BUSY,
			   "hooks of its turn's end may still run", "");
	return OBSTACLE_NONE;
}

/* By what is typed, with the composer seen. */
static enum obstacle typed_obstacle(struct sender *s, const struct view *v,
				    const struct look *look, bool busy,
				    bool canonical,
				    const struct verdict *verdict, char *why)
{
	int64_t now = s->ops->now(s->ctx);
	enum obstacle o = send_stray_look(s, v, look->composer, why);

	/* The screen may still show what has just gone in. */
	if (look->composer == COMPOSER_DRAFT && just_entered(s, now))
		return say(why, OBSTACLE_SETTLING, just_sent, "");
	if (look->composer == COMPOSER_DRAFT && is_own_draft(s, v, look))
		return busy ? say_busy(why, verdict) : own_draft(s, why);
	if (look->composer == COMPOSER_DRAFT)
		return say(why, OBSTACLE_DRAFT, "its composer holds a draft",
			   s->stray.seen ? "a message that came up late" : "");
	if (o != OBSTACLE_NONE)
		return o;
	if (busy)
		return say_busy(why, verdict);
	if (look->composer == COMPOSER_UNKNOWN &&
	    (verdict->activity != ACTIVITY_NONE || canonical))
		s->ready = true;
	if (!s->ready)
		return say(why, OBSTACLE_STARTING, "it is still starting", "");
	if (look->composer == COMPOSER_ABSENT)
		return say(why, OBSTACLE_ABSENT,
			   "its composer is not on the screen (a dialog, "
			   "a pager?)",
			   "");
	return small_obstacle(s, now, why);
}

enum obstacle send_obstacle(struct sender *s, unsigned flags, bool screen,
			    char *why)
{
	bool canonical = false, echo = true, busy;
	struct verdict verdict;
	struct look look;
	enum obstacle o;
	struct view v;

	if (!s->ops->tty(s->ctx, &canonical, &echo)) {
		canonical = false;
		echo = true;
	}
	s->ops->verdict(s->ctx, &verdict);
	busy = send_is_busy(&verdict);
	if (busy && verdict.source != SOURCE_PROCESS)
		s->signs_seen = true;
	busy = busy && !(flags & SENDER_NOW);
	o = told_obstacle(&verdict, flags, canonical && !echo, screen, why);
	if (o != OBSTACLE_NONE)
		return o;
	s->ops->view(s->ctx, &v);
	adapter_look(s->adapter, s->rules, &v, &look);
	if (look.reading.question)
		return say(why, OBSTACLE_QUESTION, "it asks something first",
			   look.reading.detail);
	/* Its composer is there, and not yet as it will be. */
	if (verdict.sets_up && !(flags & SENDER_NOW))
		return say(why, OBSTACLE_STARTING, "it sets itself up", "");
	if (look.composer == COMPOSER_EMPTY || look.composer == COMPOSER_DRAFT)
		get_ready(s);
	else
		s->shown_since = 0;
	o = typed_obstacle(s, &v, &look, busy, canonical, &verdict, why);
	/* It would make one message of both. */
	if (o == OBSTACLE_NONE && look.queued && !(flags & SENDER_NOW))
		return say(why, OBSTACLE_SEEMS_BUSY,
			   "a message waits in its own queue", "");
	return o;
}

bool send_fits(struct sender *s, const struct view *v, const char *text,
	       size_t len, unsigned flags, char *why)
{
	size_t longest;

	(void)s;
	if (v->bracketed_paste)
		return true;
	if (!(flags & SENDER_RAW) && memchr(text, '\n', len) != NULL) {
		say(why, OBSTACLE_NONE,
		    "the harness takes no bracketed paste, so each line of "
		    "the message would be a message of its own",
		    "");
		return false;
	}
	longest = send_text_longest_line(text, len);
	if (longest > SEND_LINE_MAX) {
		snprintf(why, SEND_DETAIL,
			 "a line of the message has %zu bytes; without "
			 "bracketed paste a terminal takes %d",
			 longest, SEND_LINE_MAX);
		return false;
	}
	return true;
}
