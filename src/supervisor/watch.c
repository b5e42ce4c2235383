/*
 * watch.c - from what the harness prints to what it does.
 *
 * Bytes go through the screen model once. A look at the screen follows when
 * output pauses, at most 33 times a second however much is printed; the
 * verdict is asked again when it says itself that time alone may change it.
 */
#include "supervisor/watch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/tree.h"
#include "session/events.h"
#include "supervisor/attach.h"
#include "supervisor/counting.h"
#include "supervisor/glass.h"
#include "supervisor/harness.h"
#include "supervisor/peer.h"

#define LOOK_DELAY_MS 30
#define QUIET_MS      200 /* without output: the transcript is written out */

static void log_event(struct supervisor *sv, const char *name, cJSON *o)
{
	struct err err = {0};

	if (events_append(sv->dir, name, cJSON_Duplicate(o, 1), &err) < 0)
		supervisor_log("%s", err.what);
	supervisor_event(sv, name, o);
}

/* -- the screen's callbacks ------------------------------------------- */

static void on_reply(void *ctx, const char *data, size_t len)
{
	struct supervisor *sv = ctx;

	if (!sv->backend->answers_queries)
		harness_write(sv, data, len);
}

static void on_pass(void *ctx, const char *data, size_t len)
{
	attach_output(ctx, data, len);
}

static void on_title(void *ctx, const char *title)
{
	struct supervisor *sv = ctx;
	struct reading r;

	state_set(&sv->state.title, title);
	supervisor_touch(sv);
	if (!adapter_title_says(sv->adapter, title, &r))
		r = (struct reading){.source = SOURCE_TITLE};
	r.source = SOURCE_TITLE;
	watch_reading(sv, &r);
}

static void on_program_status(void *ctx, const char *payload)
{
	struct reading r = {.source = SOURCE_PROGRAM_STATUS};

	if (adapter_program_status(payload, &r))
		watch_reading(ctx, &r);
}

/* -- the verdict ------------------------------------------------------- */

static void told(struct supervisor *sv)
{
	const struct verdict *v = &sv->verdict;
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "activity", activity_name(v->activity));
	json_set_str(o, "source", source_name(v->source));
	json_set_str(o, "detail", v->detail);
	transcript_marker(sv->transcript, activity_name(v->activity));
	log_event(sv, "activity", o);
	if (v->activity == ACTIVITY_COMPLETED ||
	    v->activity == ACTIVITY_WAITING_FOR_INPUT ||
	    v->activity == ACTIVITY_IDLE)
		counting_soon(sv->counting);
}

void watch_verdict(struct supervisor *sv)
{
	int64_t now = clock_mono_ms();
	struct verdict v;
	bool other;

	if (!sv->terminal)
		return;
	activity_verdict(sv->activity, now, &v);
	if (v.next_ms >= 0)
		loop_timer_set(sv->verdict_timer, v.next_ms);
	else
		loop_timer_stop(sv->verdict_timer);
	if (v.activity == sv->verdict.activity &&
	    v.question == sv->verdict.question &&
	    strcmp(v.detail, sv->verdict.detail) == 0) {
		sv->verdict = v;
		return;
	}
	other = v.activity != sv->verdict.activity;
	if (other)
		sv->state.activity_since =
		    clock_wall_ms() - (now > v.since ? now - v.since : 0);
	sv->verdict = v;
	sv->state.activity = v.activity;
	state_set(&sv->state.activity_source, source_name(v.source));
	state_set(&sv->state.detail, v.detail[0] ? v.detail : NULL);
	supervisor_touch(sv);
	if (other)
		told(sv);
	/* Not from here: the sender may be the one who asked. */
	loop_timer_set(sv->wake_timer, 0);
}

static void on_verdict_timer(void *ctx)
{
	struct supervisor *sv = ctx;
	struct tree_usage usage;

	harness_measure(sv, &usage);
	activity_process(sv->activity, usage.cpu_ms, usage.processes,
			 clock_mono_ms());
	watch_verdict(sv);
}

void watch_reading(struct supervisor *sv, const struct reading *r)
{
	if (adapter_conversation_ok(r->conversation) &&
	    (!sv->state.conversation ||
	     strcmp(sv->state.conversation, r->conversation) != 0)) {
		state_set(&sv->state.conversation, r->conversation);
		supervisor_publish(sv, true);
	}
	activity_reading(sv->activity, r, clock_mono_ms());
	sender_reading(sv->sender, r);
	watch_verdict(sv);
}

/* Keys of attached users that waited while a message was pasted. */
static void release_keys(struct supervisor *sv)
{
	if (!sender_holds_keys(sv->sender))
		attach_release(sv);
}

static void on_look(void *ctx)
{
	struct supervisor *sv = ctx;
	struct view view;
	struct look look = {0};

	glass_view(sv->glass, &view);
	adapter_look(sv->adapter, sv->rules, &view, &look);
	look.reading.source = SOURCE_SCREEN;
	activity_look(sv->activity, &look, clock_mono_ms());
	sender_screen_changed(sv->sender);
	watch_verdict(sv);
	supervisor_touch(sv);
	capture_changed(sv);
	release_keys(sv);
}

static void on_quiet(void *ctx)
{
	struct supervisor *sv = ctx;

	transcript_flush(sv->transcript);
}

void watch_output(struct supervisor *sv, const char *data, size_t len)
{
	int64_t now = clock_mono_ms();

	screen_feed(sv->screen, data, len);
	transcript_output(sv->transcript, data, len);
	activity_output(sv->activity, now);
	counting_output(sv->counting);
	if (!loop_timer_active(sv->look_timer))
		loop_timer_set(sv->look_timer, LOOK_DELAY_MS);
	if (!loop_timer_active(sv->quiet_timer))
		loop_timer_set(sv->quiet_timer, QUIET_MS);
	if (!loop_timer_active(sv->verdict_timer))
		watch_verdict(sv);
}

/* -- what the sender needs --------------------------------------------- */

static size_t op_write(void *ctx, const char *data, size_t len)
{
	return harness_write(ctx, data, len);
}

static size_t op_backlog(void *ctx)
{
	struct supervisor *sv = ctx;

	return sv->input.len;
}

static void op_refresh(void *ctx)
{
	struct supervisor *sv = ctx;
	struct view view;
	struct look look = {0};

	harness_read(sv, 256 * 1024);
	if (!sv->terminal)
		return;
	glass_view(sv->glass, &view);
	adapter_look(sv->adapter, sv->rules, &view, &look);
	look.reading.source = SOURCE_SCREEN;
	activity_look(sv->activity, &look, clock_mono_ms());
	watch_verdict(sv);
}

static void op_view(void *ctx, struct view *out)
{
	struct supervisor *sv = ctx;

	glass_view(sv->glass, out);
}

static void op_verdict(void *ctx, struct verdict *out)
{
	struct supervisor *sv = ctx;

	activity_verdict(sv->activity, clock_mono_ms(), out);
}

static bool op_tty(void *ctx, bool *canonical, bool *echo)
{
	struct supervisor *sv = ctx;
	struct terminal_tty tty;

	if (!sv->terminal || sv->backend->tty(sv->terminal, &tty) < 0)
		return false;
	*canonical = tty.canonical;
	*echo = tty.echo;
	return true;
}

static int64_t op_now(void *ctx)
{
	(void)ctx;
	return clock_mono_ms();
}

static void op_timer(void *ctx, int64_t delay_ms)
{
	struct supervisor *sv = ctx;

	if (delay_ms < 0)
		loop_timer_stop(sv->sender_timer);
	else
		loop_timer_set(sv->sender_timer, delay_ms);
}

static void op_receipt(void *ctx, int64_t id, enum receipt r, bool last,
		       const char *detail)
{
	struct supervisor *sv = ctx;
	cJSON *o = cJSON_CreateObject();

	json_set_int(o, "message", id);
	json_set_str(o, "receipt", receipt_name(r));
	json_set_bool(o, "last", last);
	json_set_str(o, "detail", detail);
	log_event(sv, "receipt", o);
	for (struct peer *p = sv->peers; p; p = p->next)
		peer_receipt(p, id, r, last, detail);
	if (r == RECEIPT_SUBMITTED && !last)
		activity_sent(sv->activity, clock_mono_ms());
	supervisor_touch(sv);
}

static const struct sender_ops ops = {
    .write = op_write,
    .backlog = op_backlog,
    .refresh = op_refresh,
    .view = op_view,
    .verdict = op_verdict,
    .tty = op_tty,
    .now = op_now,
    .timer = op_timer,
    .receipt = op_receipt,
};

static void on_sender_timer(void *ctx)
{
	struct supervisor *sv = ctx;

	sender_timer(sv->sender);
	release_keys(sv);
}

static void on_wake(void *ctx)
{
	struct supervisor *sv = ctx;

	sender_wake(sv->sender);
	release_keys(sv);
}

/* -- life ----------------------------------------------------------------- */

void watch_init(struct supervisor *sv)
{
	sv->look_timer = loop_timer_add(sv->loop, on_look, sv);
	sv->verdict_timer = loop_timer_add(sv->loop, on_verdict_timer, sv);
	sv->quiet_timer = loop_timer_add(sv->loop, on_quiet, sv);
	sv->sender_timer = loop_timer_add(sv->loop, on_sender_timer, sv);
	sv->wake_timer = loop_timer_add(sv->loop, on_wake, sv);
	sv->activity = activity_create(sv->adapter);
	activity_stall_after(sv->activity, sv->spec.stall_after_ms);
	sv->sender = sender_create(sv->adapter, sv->rules, &ops, sv);
}

void watch_started(struct supervisor *sv)
{
	static const struct screen_events template = {
	    .reply = on_reply,
	    .pass = on_pass,
	    .title = on_title,
	    .program_status = on_program_status,
	};
	struct screen_events events = template;
	struct err err = {0};

	events.ctx = sv;
	sv->screen = screen_create(sv->spec.cols, sv->spec.rows,
				   sv->spec.scrollback_lines, &events);
	sv->glass = glass_create(sv->screen);
	sv->transcript =
	    transcript_open(sv->dir, sv->spec.cols, sv->spec.rows,
			    sv->spec.transcript_max_bytes, &err);
	if (!sv->transcript) {
		strv_add(&sv->state.degraded, err.what);
		supervisor_log("%s", err.what);
	}
}

void watch_ended(struct supervisor *sv, const char *reason)
{
	sender_stop(sv->sender, reason);
	transcript_flush(sv->transcript);
	sv->state.activity = ACTIVITY_NONE;
	state_set(&sv->state.activity_source, NULL);
	state_set(&sv->state.detail, NULL);
	capture_save(sv);
	loop_timer_stop(sv->look_timer);
	loop_timer_stop(sv->verdict_timer);
	loop_timer_stop(sv->quiet_timer);
	loop_timer_stop(sv->sender_timer);
	loop_timer_stop(sv->wake_timer);
}

void watch_interrupt(struct supervisor *sv)
{
	struct buf keys = {0};

	adapter_interrupt(sv->adapter, sv->rules, &keys);
	harness_write(sv, keys.data ? keys.data : "", keys.len);
	buf_finish(&keys);
	activity_interrupted(sv->activity, clock_mono_ms());
	watch_verdict(sv);
}

void watch_finish(struct supervisor *sv)
{
	sender_destroy(sv->sender);
	activity_destroy(sv->activity);
	glass_destroy(sv->glass);
	screen_destroy(sv->screen);
}
