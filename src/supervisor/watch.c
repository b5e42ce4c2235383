/*
 * watch.c - from what the harness prints to what it does.
 *
 * Bytes go through the senses once, which say when the screen is worth a
 * look; the verdict is asked again when it says itself that time alone may
 * change it. Here is the loop's part of that, and who is told.
 */
#include "supervisor/watch.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/tree.h"
#include "session/events.h"
#include "supervisor/answer.h"
#include "supervisor/attach.h"
#include "supervisor/counting.h"
#include "supervisor/harness.h"
#include "supervisor/keys.h"
#include "supervisor/notify.h"
#include "supervisor/peer.h"
#include "supervisor/post.h"
#include "supervisor/sent.h"
#include "supervisor/told.h"
#include "supervisor/typed_keys.h"

#define READ_MAX (256 * 1024) /* of watch_refresh() */
#define QUIET_MS 200 /* without output: the transcript is written out */

void watch_tell(struct supervisor *sv, const char *name, cJSON *o)
{
	struct err err = {0};

	if (events_append(sv->dir, name, cJSON_Duplicate(o, 1), &err) < 0)
		supervisor_log("%s", err.what);
	supervisor_event(sv, name, o);
}

/* -- the senses' callbacks -------------------------------------------- */

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

static void on_clipboard(void *ctx, const char *text, size_t len)
{
	attach_clipboard(ctx, text, len);
}

static void on_title(void *ctx, const char *title)
{
	struct supervisor *sv = ctx;

	state_set(&sv->state.title, title);
	supervisor_touch(sv);
}

/* -- the recording (afw.ini's record) ---------------------------------- */

/* Takes o. */
static void keep(struct supervisor *sv, cJSON *o)
{
	struct buf text = {0};

	json_print(o, &text);
	cJSON_Delete(o);
	transcript_event(sv->transcript, text.data);
	buf_finish(&text);
}

void watch_keep(struct supervisor *sv, const char *event)
{
	cJSON *o;

	if (!sv->spec.record)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "event", event);
	keep(sv, o);
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
	watch_tell(sv, "activity", o);
	if (v->activity == ACTIVITY_COMPLETED ||
	    v->activity == ACTIVITY_WAITING_FOR_INPUT ||
	    v->activity == ACTIVITY_IDLE) {
		counting_soon(sv->counting);
		told_find(sv);
	}
}

void watch_verdict(struct supervisor *sv)
{
	int64_t now = clock_mono_ms();
	struct verdict v;
	bool other;

	if (!sv->terminal)
		return;
	senses_verdict(&sv->senses, now, &v);
	if (v.next_ms >= 0)
		loop_timer_set(sv->verdict_timer, v.next_ms);
	else
		loop_timer_stop(sv->verdict_timer);
	if (v.activity == sv->verdict.activity &&
	    v.question == sv->verdict.question &&
	    v.sets_up == sv->verdict.sets_up &&
	    v.winds_up == sv->verdict.winds_up &&
	    v.unseen == sv->verdict.unseen &&
	    strcmp(v.detail, sv->verdict.detail) == 0) {
		sv->verdict = v;
		sent_verdict(sv);
		notify_look(sv);
		return;
	}
	other = v.activity != sv->verdict.activity;
	if (other)
		sv->state.activity_since =
		    clock_wall_ms() - (now > v.since ? now - v.since : 0);
	sv->verdict = v;
	sv->state.activity = v.activity;
	sv->state.unsure = v.winds_up || v.unseen;
	state_set(&sv->state.activity_source, source_name(v.source));
	state_set(&sv->state.detail, v.detail[0] ? v.detail : NULL);
	supervisor_touch(sv);
	if (other)
		told(sv);
	sent_verdict(sv);
	notify_look(sv);
	/* Not from here: the sender may be the one who asked. */
	loop_timer_set(sv->wake_timer, 0);
}

static void on_verdict_timer(void *ctx)
{
	struct supervisor *sv = ctx;
	struct tree_usage usage;
	cJSON *o;

	harness_measure(sv, &usage);
	activity_process(sv->activity, usage.cpu_ms, usage.processes,
			 clock_mono_ms());
	if (sv->spec.record) {
		o = cJSON_CreateObject();
		json_set_str(o, "event", "process");
		json_set_int(o, "cpu_ms", usage.cpu_ms);
		json_set_int(o, "processes", usage.processes);
		keep(sv, o);
	}
	watch_verdict(sv);
}

/* What the fuser has heard already, for all others: a hook, at its pace. */
static void on_heard(void *ctx, const struct reading *r)
{
	struct supervisor *sv = ctx;

	told_reading(sv, r);
	post_reading(sv, r);
	watch_verdict(sv);
}

/* By the title or OSC 7501, which are printed as fast as anything: the verdict
 * is asked for the last ones at once. */
static void on_shown(void *ctx, const struct reading *r)
{
	struct supervisor *sv = ctx;
	int64_t now = clock_mono_ms();

	told_reading(sv, r);
	post_reading(sv, r);
	if (now < sv->shown_until) {
		loop_timer_set_earlier(sv->verdict_timer,
				       sv->shown_until - now);
		return;
	}
	sv->shown_until = now + pace_took(&sv->shown, now);
	watch_verdict(sv);
}

void watch_event(struct supervisor *sv, const char *event, const cJSON *payload)
{
	struct reading r;
	cJSON *o;

	if (sv->spec.record) {
		o = cJSON_CreateObject();
		json_set_str(o, "event", "hook");
		json_set_str(o, "hook", event);
		if (payload)
			cJSON_AddItemToObject(o, "payload",
					      cJSON_Duplicate(payload, 1));
		keep(sv, o);
	}
	if (senses_event(&sv->senses, event, payload, &r, clock_mono_ms()))
		on_heard(sv, &r);
}

void watch_typed(struct supervisor *sv, const char *data, size_t len)
{
	bool interrupt = typed_keys_interrupt(data, len);
	cJSON *o;

	/* Not the keys themselves: they may be a password. */
	if (sv->spec.record) {
		o = cJSON_CreateObject();
		json_set_str(o, "event", "typed");
		json_set_bool(o, "interrupt", interrupt);
		keep(sv, o);
	}
	senses_typed(&sv->senses, interrupt, clock_mono_ms());
	sender_user_typed(sv->sender);
	notify_acted(sv);
	harness_typed(sv, data, len);
	if (interrupt)
		watch_verdict(sv);
}

/* An approval has come up, or has gone. */
static void tell_asked(struct supervisor *sv)
{
	const struct asked *q = &sv->asked;
	cJSON *o;

	state_set(&sv->state.question_id, q->up ? q->id : NULL);
	state_set(&sv->state.question, q->up ? q->approval.question : NULL);
	supervisor_touch(sv);
	if (!q->up)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "question_id", q->id);
	json_set_str(o, "question", q->approval.question);
	watch_tell(sv, "question", o);
}

static void look(struct supervisor *sv)
{
	struct senses *s = &sv->senses;
	int64_t now = clock_mono_ms();
	bool other;

	senses_look(s, now);
	if (s->look_at >= 0)
		loop_timer_set(sv->look_timer, s->look_at - now);
	other = s->look.composer == COMPOSER_EMPTY ||
		s->look.composer == COMPOSER_DRAFT ||
		(s->look.reading.activity != ACTIVITY_NONE &&
		 s->look.reading.activity != ACTIVITY_WAITING_FOR_INPUT);
	if (asked_look(&sv->asked, s->approval_up ? &s->approval : NULL, other,
		       now))
		tell_asked(sv);
}

void watch_refresh(struct supervisor *sv)
{
	harness_read(sv, READ_MAX);
	if (!sv->terminal)
		return;
	/* The look that was due stays so: others are told by it. */
	look(sv);
	watch_verdict(sv);
	answer_looked(sv);
}

static void on_look(void *ctx)
{
	struct supervisor *sv = ctx;

	look(sv);
	sender_screen_changed(sv->sender);
	watch_verdict(sv);
	answer_looked(sv);
	supervisor_touch(sv);
	capture_changed(sv);
	post_release(sv);
}

static void on_quiet(void *ctx)
{
	struct supervisor *sv = ctx;
	const char *why;

	transcript_flush(sv->transcript);
	why = transcript_failed(sv->transcript);
	if (!why || sv->transcript_told)
		return;
	sv->transcript_told = true;
	strv_add(&sv->state.degraded, why);
	supervisor_log("%s", why);
	supervisor_touch(sv);
}

void watch_output(struct supervisor *sv, const char *data, size_t len)
{
	int64_t now = clock_mono_ms();

	transcript_output(sv->transcript, data, len);
	senses_output(&sv->senses, data, len, now);
	counting_output(sv->counting);
	loop_timer_set_earlier(sv->look_timer, sv->senses.look_at - now);
	if (!loop_timer_active(sv->quiet_timer))
		loop_timer_set(sv->quiet_timer, QUIET_MS);
	if (!loop_timer_active(sv->verdict_timer))
		watch_verdict(sv);
}

/* -- life ----------------------------------------------------------------- */

void watch_init(struct supervisor *sv)
{
	sv->look_timer = loop_timer_add(sv->loop, on_look, sv);
	sv->verdict_timer = loop_timer_add(sv->loop, on_verdict_timer, sv);
	sv->quiet_timer = loop_timer_add(sv->loop, on_quiet, sv);
	sv->shown = WATCH_PACE;
	senses_init(&sv->senses, sv->adapter, sv->rules,
		    sv->spec.stall_after_ms);
	sv->activity = sv->senses.activity;
	post_init(sv);
}

void watch_started(struct supervisor *sv)
{
	struct senses_events events = {
	    .ctx = sv,
	    .reply = on_reply,
	    .pass = on_pass,
	    .title = on_title,
	    .clipboard = on_clipboard,
	    .heard = on_shown,
	};
	struct err err = {0};

	asked_init(&sv->asked, sv->spec.id, clock_wall_ms());
	senses_open(&sv->senses, sv->spec.cols, sv->spec.rows,
		    sv->spec.scrollback_lines, &events);
	sv->screen = sv->senses.screen;
	capture_forget(sv);
	sv->transcript = transcript_open(sv->dir, sv->spec.cols, sv->spec.rows,
					 sv->spec.transcript_max_bytes, &err);
	if (sv->spec.record)
		transcript_exact(sv->transcript);
	watch_keep(sv, "started");
	if (!sv->transcript) {
		strv_add(&sv->state.degraded, err.what);
		supervisor_log("%s", err.what);
	}
}

void watch_ended(struct supervisor *sv, const char *reason)
{
	post_ended(sv, reason);
	answer_over(sv, reason);
	keys_over(sv, reason);
	transcript_flush(sv->transcript);
	sv->state.activity = ACTIVITY_NONE;
	sv->state.unsure = false;
	state_set(&sv->state.activity_source, NULL);
	state_set(&sv->state.detail, NULL);
	state_set(&sv->state.question, NULL);
	state_set(&sv->state.question_id, NULL);
	capture_save(sv);
	loop_timer_stop(sv->look_timer);
	loop_timer_stop(sv->verdict_timer);
	loop_timer_stop(sv->quiet_timer);
}

static int press_interrupt(struct supervisor *sv, struct err *err)
{
	struct buf keys = {0};
	int rc;

	adapter_interrupt(sv->adapter, sv->rules, &keys);
	rc = harness_type(sv, &keys, err);
	buf_finish(&keys);
	/* Behind it a message's Enter may submit what it has put back. */
	if (rc == 0 && sender_is_typing(sv->sender))
		sender_user_typed(sv->sender);
	return rc;
}

int watch_interrupt(struct supervisor *sv, struct err *err)
{
	if (press_interrupt(sv, err) < 0)
		return -1;
	watch_keep(sv, "interrupt");
	activity_interrupted(sv->activity, clock_mono_ms());
	notify_acted(sv);
	watch_verdict(sv);
	return 0;
}

void watch_not_interrupted(struct supervisor *sv)
{
	activity_not_interrupted(sv->activity);
	watch_verdict(sv);
}

void watch_finish(struct supervisor *sv)
{
	post_finish(sv);
	senses_finish(&sv->senses);
}
