/*
 * monitor.c - from what the harness prints to what it does.
 *
 * Bytes pass through the observer once, which says when the screen should be
 * checked. The verdict is computed again at the time that it names itself. This
 * file has the timers for that, and publishes the results.
 */
#include "supervisor/monitor/monitor.h"

#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/tree.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/typed_keys.h"

#define READ_MAX (256 * 1024) /* for monitor_refresh() */
#define REST_MS	 170 /* after little output; less than between checks */

struct monitor {
	struct loop_timer *read_timer, *verdict, *listen;
	struct pace shown;   /* the pace of title and OSC 7501 */
	int64_t shown_until; /* monotonic ms: these do not change the verdict
				before */
};

/* -- the observer's callbacks ------------------------------------------ */

static void on_reply(void *ctx, const char *data, size_t len)
{
	struct supervisor *sv = ctx;

	if (!sv->backend->answers_queries)
		harness_write(sv, data, len);
}

static void on_pass(void *ctx, const char *data, size_t len)
{
	struct supervisor *sv = ctx;

	PARTS(pass, sv, data, len);
}

static void on_clipboard(void *ctx, const char *text, size_t len)
{
	struct supervisor *sv = ctx;

	PARTS(clipboard, sv, text, len);
}

static void on_title(void *ctx, const char *title)
{
	struct supervisor *sv = ctx;

	mem_set(&sv->state.title, title);
	publish_seldom(sv);
}

/* -- the verdict ------------------------------------------------------- */

bool monitor_is_idle(const struct supervisor *sv)
{
	enum activity a = sv->verdict.activity;

	return activity_is_idle(a) || a == ACTIVITY_WAITING_FOR_INPUT;
}

/* Writes the verdict to the state and sends it to subscribers, but no end of a
 * turn that may still turn out to have failed: scripts wait for it. */
static void publish_verdict(struct supervisor *sv, int64_t now)
{
	const struct verdict *v = &sv->verdict;
	enum activity was = sv->state.activity;
	cJSON *o;

	if (v->may_fail)
		return;
	sv->state.activity = v->activity == ACTIVITY_COMPLETED && v->failed
				 ? ACTIVITY_FAILED
				 : v->activity;
	sv->state.unsure =
	    v->hooks_running || v->hook_may_answer || v->starting_up;
	mem_set(&sv->state.activity_source, source_name(v->source));
	mem_set(&sv->state.detail, v->detail[0] ? v->detail : NULL);
	publish_soon(sv);
	if (sv->state.activity == was)
		return;
	sv->state.activity_since =
	    clock_wall_ms() - (now > v->since ? now - v->since : 0);
	o = cJSON_CreateObject();
	json_set_str(o, "activity", activity_name(sv->state.activity));
	json_set_str(o, "source", source_name(v->source));
	json_set_str(o, "detail", v->detail);
	publish_event(sv, "activity", o);
}

bool monitor_is_same(const struct verdict *a, const struct verdict *b)
{
	return a->activity == b->activity && a->question == b->question &&
	       a->failed == b->failed && a->may_fail == b->may_fail &&
	       a->starting_up == b->starting_up &&
	       a->hooks_running == b->hooks_running &&
	       a->hook_may_answer == b->hook_may_answer &&
	       strcmp(a->detail, b->detail) == 0;
}

void monitor_update(struct supervisor *sv)
{
	struct verdict v, was = sv->verdict;
	int64_t now = clock_mono_ms();

	if (!sv->terminal || sv->end->why != ENDING_NONE)
		return;
	observer_verdict(&sv->observer, now, &v);
	PARTS(refine, sv, &v);
	if (v.next_ms >= 0)
		loop_timer_set(sv->monitor->verdict, v.next_ms);
	else
		loop_timer_stop(sv->monitor->verdict);
	sv->verdict = v;
	if (!monitor_is_same(&v, &was))
		publish_verdict(sv, now);
	PARTS(verdict, sv, &was);
}

static void on_verdict_timer(void *ctx)
{
	struct supervisor *sv = ctx;
	struct tree_usage usage;
	cJSON *o;

	harness_measure(sv, &usage);
	activity_process(sv->observer.activity, usage.cpu_ms, usage.processes,
			 clock_mono_ms());
	if (sv->spec.record) {
		o = cJSON_CreateObject();
		json_set_int(o, "cpu_ms", usage.cpu_ms);
		json_set_int(o, "processes", usage.processes);
		PARTS(signal, sv, "process", o);
		cJSON_Delete(o);
	}
	monitor_update(sv);
}

/* Passes a hook's reading to all parts; the fuser already has it. The door
 * limits the pace of hooks. */
static void on_reading(void *ctx, const struct reading *r)
{
	struct supervisor *sv = ctx;

	PARTS(reading, sv, r);
	monitor_update(sv);
}

/* Handles a reading from the title or OSC 7501, which can be printed very fast:
 * the verdict is computed once for several of them. */
static void on_status(void *ctx, const struct reading *r)
{
	struct supervisor *sv = ctx;
	int64_t now = clock_mono_ms();

	PARTS(reading, sv, r);
	if (now < sv->monitor->shown_until) {
		loop_timer_set_earlier(sv->monitor->verdict,
				       sv->monitor->shown_until - now);
		return;
	}
	sv->monitor->shown_until = now + pace_took(&sv->monitor->shown, now);
	monitor_update(sv);
}

void monitor_event(struct supervisor *sv, const char *event,
		   const cJSON *payload)
{
	struct reading r;
	cJSON *o;

	if (sv->spec.record) {
		o = cJSON_CreateObject();
		json_set_str(o, "hook", event);
		if (payload)
			cJSON_AddItemToObject(o, "payload",
					      cJSON_Duplicate(payload, 1));
		PARTS(signal, sv, "hook", o);
		cJSON_Delete(o);
	}
	if (observer_event(&sv->observer, event, payload, &r, clock_mono_ms()))
		on_reading(sv, &r);
}

void monitor_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	PARTS(acted, sv, what, keys);
	if (what == ACT_INTERRUPT || (keys & TYPED_INTERRUPT))
		monitor_update(sv);
}

static void monitor_note_act(struct supervisor *sv, enum act what,
			     unsigned keys)
{
	int64_t now = clock_mono_ms();

	if (what == ACT_SENT)
		activity_sent(sv->observer.activity, now);
	else if (what == ACT_SETTLED)
		activity_settled(sv->observer.activity);
	else
		observer_typed(
		    &sv->observer,
		    what == ACT_INTERRUPT || (keys & TYPED_INTERRUPT), now);
	if (what == ACT_SETTLED)
		loop_timer_set_earlier(sv->monitor->verdict, 0);
	if (keys & TYPED_ENTER)
		activity_entered(sv->observer.activity, now);
}

/* Publishes that an approval has appeared or has gone. */
static void publish_question(struct supervisor *sv)
{
	const struct question *q = &sv->question;
	cJSON *o;

	mem_set(&sv->state.question_id, q->up ? q->id : NULL);
	mem_set(&sv->state.question, q->up ? q->approval.question : NULL);
	sv->state.question_whole = q->up && q->approval.whole;
	publish_soon(sv);
	if (!q->up)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "question_id", q->id);
	json_set_str(o, "question", q->approval.question);
	publish_event(sv, "question", o);
}

static void update_screen(struct supervisor *sv)
{
	struct observer *s = &sv->observer;
	int64_t now = clock_mono_ms();
	bool other;

	observer_read_screen(s, now);
	if (s->read_at >= 0)
		loop_timer_set(sv->monitor->read_timer, s->read_at - now);
	other = s->shown.composer == COMPOSER_EMPTY ||
		s->shown.composer == COMPOSER_DRAFT ||
		(s->shown.reading.activity != ACTIVITY_NONE &&
		 s->shown.reading.activity != ACTIVITY_WAITING_FOR_INPUT);
	if (question_update(&sv->question, s->approval_up ? &s->approval : NULL,
			    other, now))
		publish_question(sv);
}

void monitor_refresh(struct supervisor *sv)
{
	harness_read(sv, READ_MAX);
	if (!sv->terminal)
		return;
	/* The check that was due stays due: it informs other parts. */
	update_screen(sv);
	monitor_update(sv);
}

static void on_read_due(void *ctx)
{
	struct supervisor *sv = ctx;

	update_screen(sv);
	publish_seldom(sv);
	PARTS(screen_read, sv);
	if (!observer_is_steady(&sv->observer) || sv->attached ||
	    sv->spec.record)
		return;
	harness_pause(sv);
	loop_timer_set(sv->monitor->listen, REST_MS);
}

static void on_listen(void *ctx)
{
	harness_resume(ctx);
}

static void monitor_output(struct supervisor *sv, const char *data, size_t len)
{
	int64_t now = clock_mono_ms();

	observer_output(&sv->observer, data, len, now);
	loop_timer_set_earlier(sv->monitor->read_timer,
			       sv->observer.read_at - now);
	if (!loop_timer_active(sv->monitor->verdict))
		monitor_update(sv);
}

/* -- the part ------------------------------------------------------------- */

static int monitor_init(struct supervisor *sv, struct err *err)
{
	sv->monitor->read_timer = loop_timer_add(sv->loop, on_read_due, sv);
	sv->monitor->verdict = loop_timer_add(sv->loop, on_verdict_timer, sv);
	sv->monitor->listen = loop_timer_add(sv->loop, on_listen, sv);
	sv->monitor->shown = MONITOR_PACE;
	observer_init(&sv->observer, sv->adapter, sv->rules);
	return 0;
}

static void monitor_start(struct supervisor *sv)
{
	struct observer_events events = {
	    .ctx = sv,
	    .reply = on_reply,
	    .pass = on_pass,
	    .title = on_title,
	    .clipboard = on_clipboard,
	    .reading = on_status,
	};

	question_init(&sv->question, sv->spec.id, clock_wall_ms());
	observer_open(&sv->observer, sv->spec.cols, sv->spec.rows,
		      SCROLLBACK_LINES, &events);
	/* A harness that prints nothing shows no composer either. */
	loop_timer_set(sv->monitor->read_timer, 0);
}

static void monitor_resize(struct supervisor *sv, int cols, int rows)
{
	screen_resize(sv->observer.screen, cols, rows);
}

/* Returns whether only its process shows what it does: then its last row is
 * what it says. At its end, this is also true of a command that was too short
 * for that. */
static bool is_command(const struct supervisor *sv)
{
	const struct verdict *v = &sv->verdict;

	if (rules_has(sv->rules, "answer"))
		return false;
	return v->activity == ACTIVITY_NONE
		   ? sv->end->exited && !sv->adapter->hook
		   : v->source == SOURCE_PROCESS;
}

static void monitor_state(struct supervisor *sv)
{
	struct buf line = {0};

	if (!sv->observer.screen || !sv->terminal)
		return;
	screen_last_line(sv->observer.screen, 200, &line);
	mem_set(&sv->state.last_line, line.len ? line.data : NULL);
	if (is_command(sv))
		mem_set(&sv->state.said, sv->state.last_line);
	buf_finish(&line);
	sv->state.cols = screen_cols(sv->observer.screen);
	sv->state.rows = screen_rows(sv->observer.screen);
}

static void monitor_end(struct supervisor *sv, const char *reason)
{
	mem_set(&sv->state.question, NULL);
	mem_set(&sv->state.question_id, NULL);
	loop_timer_stop(sv->monitor->read_timer);
	loop_timer_stop(sv->monitor->verdict);
	loop_timer_stop(sv->monitor->listen);
}

static void monitor_finish(struct supervisor *sv)
{
	observer_finish(&sv->observer);
}

const struct part monitor_part = {
    .own = PART_OWN(monitor),
    .init = monitor_init,
    .start = monitor_start,
    .running = monitor_update, /* also for a harness that prints nothing */
    .output = monitor_output,
    .screen_read = monitor_update,
    .acted = monitor_note_act,
    .resize = monitor_resize,
    .state = monitor_state,
    .end = monitor_end,
    .finish = monitor_finish,
};

/* -- an interrupt ------------------------------------------------------ */

void monitor_not_interrupted(struct supervisor *sv)
{
	activity_not_interrupted(sv->observer.activity);
	monitor_update(sv);
}
