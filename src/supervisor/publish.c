/*
 * publish.c - writes what others read about the session: its state (the board,
 * state.json), its history and its log. Other files decide what is written: a
 * new event needs no change here (event_log.h).
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/utf8.h"
#include "session/disk/board.h"
#include "session/disk/event_log.h"
#include "supervisor/part.h"

#define PUBLISH_INTERVAL_MS 100
#define PUBLISH_EARLY_MS    50
#define PUBLISH_SELDOM_MS   400 /* in addition to the interval */
#define SAVE_AGAIN_MS	    1000
#define DEGRADED_MAX	    32
#define LOG_BYTES_MAX	    ((size_t)256 * 1024)

struct publisher {
	struct loop_timer *timer;
	int64_t at;	 /* monotonic ms: the next */
	bool due;	 /* the state has changed since it was written */
	bool needs_save; /* state.json must be written, not only the board */
	bool unsaved;	 /* writing failed: try again soon */
	struct err why;
};

/* The harness can cause log lines, so the size of the log is limited. */
void publish_log(const char *fmt, ...)
{
	static size_t written;
	char raw[1024], text[1024], at[CLOCK_RFC3339_SIZE];
	va_list ap;

	if (written > LOG_BYTES_MAX)
		return;

	va_start(ap, fmt);
	vsnprintf(raw, sizeof raw, fmt, ap);
	va_end(ap);
	utf8_printable(text, sizeof text, raw, strlen(raw));
	clock_format(clock_wall_ms(), at);
	written += strlen(text) + 32;
	fprintf(stderr, "%s %s\n", at,
		written > LOG_BYTES_MAX ? "(the log ends here)" : text);
}

void publish_event(struct supervisor *sv, const char *event, cJSON *o)
{
	_json_ cJSON *told = cJSON_CreateObject();
	struct err err = {0};

	json_set_str(told, "ev", event);
	json_replace_members(told, o);
	if (!sv->dir)
		cJSON_Delete(o);
	else if (events_append(sv->dir, event, o, &err) < 0)
		publish_log("%s", err.what);
	PARTS(event, sv, event, told);
}

void publish_degraded(struct supervisor *sv, const char *fmt, ...)
{
	struct strv *degraded = &sv->state.degraded;
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (degraded->n >= DEGRADED_MAX || strv_has(degraded, text))
		return;
	strv_add(degraded, text);
	publish_log("%s", text);
	publish_lasting(sv);
}

/* At most ten a second on average: a publication that is up to PUBLISH_EARLY_MS
 * early delays the next one by as much. */
static void set_published(struct publisher *p)
{
	int64_t now = clock_mono_ms(), late = p->at - now;

	if (late < 0)
		late = 0;
	if (late > PUBLISH_EARLY_MS)
		late = PUBLISH_EARLY_MS;
	p->at = now + late + PUBLISH_INTERVAL_MS;
	p->due = false;
	loop_timer_stop(p->timer);
}

void publish_state(struct supervisor *sv, bool durable)
{
	struct publisher *p = sv->publisher;
	struct err err = {0};

	PARTS(state, sv);
	set_published(p);
	if (!sv->dir)
		return;
	if (state_save(&sv->state, sv->dir, durable, &err) < 0) {
		if (!p->unsaved)
			publish_log("%s", err.what);
		/* The disk may be full; perhaps nothing else changes when it no
		 * longer is. */
		p->unsaved = p->due = true;
		p->why = err;
		board_publish(&sv->state);
		loop_timer_set(p->timer, SAVE_AGAIN_MS);
		return;
	}
	p->unsaved = p->needs_save = false;
}

void publish_now(struct supervisor *sv)
{
	struct publisher *p = sv->publisher;

	PARTS(state, sv);
	if (p->needs_save || p->unsaved || !phase_is_live(sv->state.phase) ||
	    !board_publish(&sv->state)) {
		publish_state(sv, p->unsaved);
		return;
	}
	set_published(p);
}

static void on_publish(void *ctx)
{
	publish_now(ctx);
}

void publish_due(struct supervisor *sv)
{
	if (sv->publisher->due && !sv->publisher->unsaved)
		publish_now(sv);
}

int publish_check_saved(const struct supervisor *sv, struct err *err)
{
	if (!sv->publisher->unsaved)
		return 0;
	return err_set(err, ERR_FAILED, "%s", sv->publisher->why.what);
}

void publish_forget(struct supervisor *sv)
{
	sv->publisher->unsaved = false;
}

static void publish_by(struct publisher *p, int64_t at)
{
	if (p->unsaved)
		return;
	p->due = true;
	loop_timer_set_earlier(p->timer, at - clock_mono_ms());
}

void publish_soon(struct supervisor *sv)
{
	publish_by(sv->publisher, sv->publisher->at - PUBLISH_EARLY_MS);
}

void publish_seldom(struct supervisor *sv)
{
	struct publisher *p = sv->publisher;
	int64_t early = p->at + PUBLISH_SELDOM_MS / 2;

	if (clock_mono_ms() >= early && !p->unsaved)
		publish_now(sv);
	else
		publish_by(p, early + PUBLISH_SELDOM_MS / 2);
}

void publish_lasting(struct supervisor *sv)
{
	sv->publisher->needs_save = true;
	publish_soon(sv);
}

/* Only a running session has an activity. */
static void clear_activity(struct state *s)
{
	s->activity = ACTIVITY_NONE;
	s->unsure = false;
	mem_set(&s->activity_source, NULL);
	mem_set(&s->detail, NULL);
}

int publish_phase(struct supervisor *sv, enum phase to, const char *reason)
{
	struct err err = {0};
	cJSON *o;

	if (phase_move(&sv->state.phase, to, &err) < 0) {
		publish_log("bug: %s", err.what);
		return -1;
	}
	if (to != PHASE_RUNNING)
		clear_activity(&sv->state);
	mem_set(&sv->state.error_reason, to == PHASE_ERROR ? reason : NULL);
	/* A start need not survive a power failure in the next seconds; how it
	 * ended must. */
	publish_state(sv, !phase_is_live(to));
	o = cJSON_CreateObject();
	json_set_str(o, "phase", phase_name(to));
	json_set_str(o, "reason", reason);
	publish_event(sv, "phase", o);
	return 0;
}

static int init(struct supervisor *sv, struct err *err)
{
	sv->publisher->timer = loop_timer_add(sv->loop, on_publish, sv);
	return 0;
}

const struct part publish_part = {
    .own = PART_OWN(publisher),
    .init = init,
};
