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
static void set_published(struct supervisor *sv)
{
	int64_t now = clock_mono_ms(), late = sv->publish_at - now;

	if (late < 0)
		late = 0;
	if (late > PUBLISH_EARLY_MS)
		late = PUBLISH_EARLY_MS;
	sv->publish_at = now + late + PUBLISH_INTERVAL_MS;
	sv->needs_publish = false;
	loop_timer_stop(sv->publish_timer);
}

void publish_state(struct supervisor *sv, bool durable)
{
	struct err err = {0};

	PARTS(state, sv);
	set_published(sv);
	if (!sv->dir)
		return;
	if (state_save(&sv->state, sv->dir, durable, &err) < 0) {
		if (!sv->unsaved)
			publish_log("%s", err.what);
		/* The disk may be full; perhaps nothing else changes when it no
		 * longer is. */
		sv->unsaved = sv->needs_publish = true;
		sv->why_unsaved = err;
		board_publish(&sv->state);
		loop_timer_set(sv->publish_timer, SAVE_AGAIN_MS);
		return;
	}
	sv->unsaved = sv->needs_save = false;
}

void publish_now(struct supervisor *sv)
{
	PARTS(state, sv);
	if (sv->needs_save || sv->unsaved || !phase_is_live(sv->state.phase) ||
	    !board_publish(&sv->state)) {
		publish_state(sv, sv->unsaved);
		return;
	}
	set_published(sv);
}

static void on_publish(void *ctx)
{
	publish_now(ctx);
}

void publish_init(struct supervisor *sv)
{
	sv->publish_timer = loop_timer_add(sv->loop, on_publish, sv);
}

static void publish_by(struct supervisor *sv, int64_t at)
{
	if (sv->unsaved)
		return;
	sv->needs_publish = true;
	loop_timer_set_earlier(sv->publish_timer, at - clock_mono_ms());
}

void publish_soon(struct supervisor *sv)
{
	publish_by(sv, sv->publish_at - PUBLISH_EARLY_MS);
}

void publish_seldom(struct supervisor *sv)
{
	int64_t early = sv->publish_at + PUBLISH_SELDOM_MS / 2;

	if (clock_mono_ms() >= early && !sv->unsaved)
		publish_now(sv);
	else
		publish_by(sv, early + PUBLISH_SELDOM_MS / 2);
}

void publish_lasting(struct supervisor *sv)
{
	sv->needs_save = true;
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
