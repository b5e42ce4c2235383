/*
 * observer.c - turns output and events into readings for the fuser.
 *
 * The screen is read when output pauses, at most 33 times a second however much
 * is printed, so that a picture drawn in two writes is read whole. While it
 * says the same (a spinner turns) it is read less and less often, until
 * something is typed or a hook runs. A synchronized update (mode 2026) is read
 * when it has ended.
 */
#include "activity/observer.h"

#include <stdlib.h>
#include <string.h>

#include "activity/screen_text.h"
#include "adapters/hook.h"
#include "base/json.h"
#include "base/mem.h"

#define READ_DELAY_MS  30
#define READ_SELDOM_MS 200 /* a question must be reported within 300 ms */
#define PUT_OFF_MAX_MS 500
#define READINGS_MAX   16 /* kept of one output */

static void on_reply(void *ctx, const char *data, size_t len)
{
	struct observer *s = ctx;

	if (s->events.reply)
		s->events.reply(s->events.ctx, data, len);
}

static void on_pass(void *ctx, const char *data, size_t len)
{
	struct observer *s = ctx;

	if (s->events.pass)
		s->events.pass(s->events.ctx, data, len);
}

static void on_clipboard(void *ctx, const char *text, size_t len)
{
	struct observer *s = ctx;

	if (s->events.clipboard)
		s->events.clipboard(s->events.ctx, text, len);
}

/*
 * The callback may read more output and read the screen. So the readings of one
 * output are queued until the screen has all of it.
 */
static void queue_reading(struct observer *s, const struct reading *r)
{
	struct observer_readings *h = &s->readings;

	if (s->screen_only)
		return;
	if (h->n == READINGS_MAX) {
		activity_reading(s->activity, &h->list[0], s->output_at);
		memmove(h->list, h->list + 1, --h->n * sizeof *h->list);
	}
	if (!h->list)
		h->list = mem_alloc(READINGS_MAX * sizeof *h->list);
	h->list[h->n++] = *r;
}

static void flush_readings(struct observer *s)
{
	struct observer_readings *h = &s->readings;

	if (h->flushing)
		return;
	h->flushing = true;
	while (h->n > 0) {
		struct reading r = h->list[0];

		memmove(h->list, h->list + 1, --h->n * sizeof *h->list);
		activity_reading(s->activity, &r, s->output_at);
		if (s->events.reading)
			s->events.reading(s->events.ctx, &r);
	}
	h->flushing = false;
}

static void on_title(void *ctx, const char *title)
{
	struct observer *s = ctx;
	struct reading r;

	if (s->events.title)
		s->events.title(s->events.ctx, title);
	if (!adapter_read_title(s->rules, title, &r))
		r = (struct reading){.source = SOURCE_TITLE};
	r.source = SOURCE_TITLE;
	queue_reading(s, &r);
}

static void on_program_status(void *ctx, const char *payload)
{
	struct reading r = {.source = SOURCE_PROGRAM_STATUS};

	if (adapter_program_status(payload, &r))
		queue_reading(ctx, &r);
}

void observer_init(struct observer *s, const struct adapter *adapter,
		   const struct rules *rules)
{
	*s = (struct observer){.adapter = adapter,
			       .rules = rules,
			       .read_at = -1,
			       .verdict_at = -1};
	s->activity = activity_create(adapter, rules);
}

void observer_finish(struct observer *s)
{
	activity_destroy(s->activity);
	screen_text_destroy(s->text);
	screen_destroy(s->screen);
	free(s->readings.list);
	*s = (struct observer){0};
}

void observer_open(struct observer *s, int cols, int rows, int scrollback,
		   const struct observer_events *events)
{
	struct screen_events e = {
	    .ctx = s,
	    .reply = on_reply,
	    .pass = on_pass,
	    .title = on_title,
	    .program_status = on_program_status,
	    .clipboard = on_clipboard,
	};

	s->events = *events;
	s->screen = screen_create(cols, rows, scrollback, &e);
	s->text = screen_text_create(s->screen);
}

/* True if the output reported idle. Then the screen is read at once, as it may
 * show a menu that came with the same output. */
static bool has_idle(const struct observer_readings *h)
{
	for (size_t i = 0; i < h->n; i++)
		if (activity_is_idle(h->list[i].activity))
			return true;
	return false;
}

static void note_update(struct observer *s, int64_t now)
{
	uint64_t updates = screen_updates(s->screen);

	if (!screen_modes(s->screen)->sync)
		s->update_at = 0;
	else if (s->update_at == 0 || updates != s->updates)
		s->update_at = now;
	s->updates = updates;
}

bool observer_is_whole(const struct observer *s, int64_t now)
{
	return s->update_at == 0 || now - s->update_at >= OBSERVER_UPDATE_MS;
}

/* True while a start is not over: the screen is read at each output, as the
 * composer will show that the harness has started. */
static bool awaits_composer(const struct observer *s,
			    const struct screen_state *shown, int64_t now)
{
	return !shown->reading.question &&
	       activity_is_starting(s->activity, now);
}

void observer_output(struct observer *s, const char *data, size_t len,
		     int64_t now)
{
	int64_t due;

	s->output_at = now;
	screen_feed(s->screen, data, len);
	note_update(s, now);
	if (!s->readings.flushing && has_idle(&s->readings))
		observer_read_screen(s, now);
	flush_readings(s);
	activity_output(s->activity, now);
	due = now + (awaits_composer(s, &s->shown, now) ? 0 : READ_DELAY_MS);
	if (due < s->last_read_at + s->read_every_ms)
		due = s->last_read_at + s->read_every_ms;
	if (s->read_at < 0 || s->read_at > due)
		s->read_at = due;
}

/*
 * True if a hook's reading came too late. Claude Code waits for all hooks
 * except that of a failure (seen with 2.1.329): on a busy machine the next turn
 * has begun when that one arrives. And a question may have been answered by the
 * key that ended the turn before its hook arrives.
 */
static bool is_past(const struct observer *s, const struct reading *r)
{
	if (!r->turn[0] || !s->turn[0])
		return false;
	if (r->turn_ended && r->failed)
		return strcmp(r->turn, s->turn) != 0;
	return r->question && strcmp(r->turn, s->turn) == 0 &&
	       activity_is_idle_interrupted(s->activity);
}

/*
 * True if the event is from a conversation beside the main one: a fork that
 * began while something was in the main one's composer's place (Codex's /side;
 * after its /fork the composer is there).
 */
static bool is_beside(struct observer *s, const struct reading *r)
{
	bool other =
	    r->conversation[0] && strcmp(r->conversation, s->conversation) != 0;

	if (other && s->conversation[0] && (r->forked || s->has_side) &&
	    (r->forked || !r->began) && s->shown.composer == COMPOSER_ABSENT)
		return s->has_side = true;
	if (other)
		memcpy(s->conversation, r->conversation, READING_TEXT);
	return false;
}

void observer_read_soon(struct observer *s)
{
	s->read_every_ms = 0;
}

bool observer_is_steady(const struct observer *s)
{
	return s->read_every_ms == READ_SELDOM_MS && s->update_at == 0;
}

bool observer_event(struct observer *s, const char *event, const cJSON *payload,
		    struct reading *r, int64_t now)
{
	struct verdict v;

	*r = (struct reading){.source = SOURCE_HOOK};
	observer_read_soon(s);
	if (s->screen_only || !s->adapter->hook ||
	    !s->adapter->hook(s->rules, event, payload, r))
		return false;
	r->source = SOURCE_HOOK;
	if (is_beside(s, r))
		return false;
	if (r->question) /* updates what depends on time */
		activity_verdict(s->activity, now, &v);
	if (is_past(s, r))
		return false;
	if (r->turn_started && r->turn[0])
		memcpy(s->turn, r->turn, sizeof s->turn);
	/* The door cuts a long payload (door_hook()). */
	r->call = hook_call(payload);
	r->answer_cut |= json_bool(payload, "afw_cut", false);
	activity_reading(s->activity, r, now);
	return true;
}

void observer_typed(struct observer *s, bool interrupt, int64_t now)
{
	observer_read_soon(s);
	if (interrupt)
		activity_interrupted(s->activity, now);
	else
		activity_typed(s->activity, now);
}

void observer_view(struct observer *s, struct screen_view *out)
{
	screen_text_view(s->text, out);
}

/*
 * True if the reading must wait. An incomplete picture is used only for a new
 * question. Update may follow update: the wait is bounded.
 */
static bool is_deferred(struct observer *s, const struct screen_state *shown,
			int64_t now)
{
	if (observer_is_whole(s, now) ||
	    (shown->reading.question && !s->shown.reading.question) ||
	    (s->put_off_at && now - s->put_off_at >= PUT_OFF_MAX_MS)) {
		s->put_off_at = 0;
		return false;
	}
	if (!s->put_off_at)
		s->put_off_at = now;
	return true;
}

static void set_pace(struct observer *s, const struct screen_state *shown,
		     int64_t now)
{
	bool same = shown->reading.activity == s->shown.reading.activity &&
		    shown->composer == s->shown.composer &&
		    shown->draft == s->shown.draft &&
		    !shown->reading.question && !awaits_composer(s, shown, now);
	int64_t every = s->read_every_ms * 2;

	if (every < READ_DELAY_MS)
		every = READ_DELAY_MS;
	if (every > READ_SELDOM_MS)
		every = READ_SELDOM_MS;
	s->read_every_ms = same ? every : 0;
	s->last_read_at = now;
}

void observer_read_screen(struct observer *s, int64_t now)
{
	struct screen_state shown = {0};
	struct screen_view view;

	screen_text_view(s->text, &view);
	adapter_read_screen(s->adapter, s->rules, &view, &shown);
	if (is_deferred(s, &shown, now)) {
		s->read_at = s->update_at + OBSERVER_UPDATE_MS;
		return;
	}
	s->read_at = -1;
	set_pace(s, &shown, now);
	s->shown = shown;
	s->shown.reading.source = SOURCE_SCREEN;
	activity_screen(s->activity, &s->shown, now);
	s->approval_up =
	    approval_find(s->rules, &view, &s->shown, &s->approval);
}

void observer_verdict(struct observer *s, int64_t now, struct verdict *v)
{
	activity_verdict(s->activity, now, v);
	s->verdict_at = v->next_ms >= 0 ? now + v->next_ms : -1;
}
