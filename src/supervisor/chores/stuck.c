/*
 * stuck.c - reports once when a working agent makes no progress; afw does
 * nothing else about it.
 *
 * An agent has stalled after stall_after without a sign of progress: a hook, a
 * change of a file in the worktree, a process that starts or ends, the use of a
 * tenth of a processor. Output is a sign only if the agent has no hooks: other
 * agents draw a spinner while they wait. A command that only waits (sleep) is
 * not reported.
 *
 * An agent loops when its hooks have reported the same result of the same tool
 * call LOOPS times in a row.
 */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/tree.h"
#include "supervisor/chores/counting.h"
#include "supervisor/harness/harness.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"

#define LOOPS	  5
#define CHECKS	  4  /* in stall_after */
#define CPU_SHARE 10 /* percent of a processor; a spinner uses less */

struct stuck {
	struct loop_timer *timer;
	int64_t moved_at; /* monotonic ms: the last sign of progress */
	/* The last measurement, and its time. */
	struct tree_usage usage;
	int64_t measured_at;
	uint64_t call;		 /* of the last tool (reading.call) */
	int calls;		 /* how many in a row are the same */
	char tool[READING_TEXT]; /* the last tool call: "Bash: make test" */
	bool loops;
};

static bool is_working(const struct supervisor *sv)
{
	enum activity a = sv->verdict.activity;

	return sv->terminal && sv->state.phase == PHASE_RUNNING &&
	       sv->end->why == ENDING_NONE && !sv->verdict.question &&
	       !sv->state.limited &&
	       (a == ACTIVITY_WORKING || a == ACTIVITY_THINKING ||
		a == ACTIVITY_NONE); /* it has reported nothing since its start
				      */
}

/* text: why it is stuck; NULL: it is not. */
static void set_stuck(struct supervisor *sv, const char *text)
{
	cJSON *o;

	if (!text && !sv->state.stuck)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "reason", text ? text : sv->state.stuck);
	publish_event(sv, text ? "stuck" : "stuck:over", o);
	mem_set(&sv->state.stuck, text);
	publish_lasting(sv);
}

static void note_progress(struct supervisor *sv)
{
	sv->stuck->moved_at = clock_mono_ms();
	if (!sv->stuck->loops)
		set_stuck(sv, NULL);
}

/* -- stalled ----------------------------------------------------------------
 */

/* Returns whether the command in a text as "Bash: sleep 600" only waits. */
static bool is_waiting_command(const char *tool)
{
	static const char *const waits[] = {"sleep ", "tail -f", "watch ",
					    "wait"};
	const char *command = strstr(tool, ": ");

	for (size_t i = 0; command && i < sizeof waits / sizeof waits[0]; i++)
		if (strncmp(command + 2, waits[i], strlen(waits[i])) == 0)
			return true;
	return false;
}

/* Measures the agent's processes; returns whether they have worked since the
 * last measurement. */
static bool has_worked(struct supervisor *sv, int64_t now)
{
	struct stuck *s = sv->stuck;
	struct tree_usage was = s->usage;
	int64_t elapsed = now - s->measured_at;

	harness_measure(sv, &s->usage);
	s->measured_at = now;
	return s->usage.processes != was.processes ||
	       (s->usage.cpu_ms - was.cpu_ms) * 100 > elapsed * CPU_SHARE;
}

static void check_stall(void *ctx)
{
	struct supervisor *sv = ctx;
	struct stuck *s = sv->stuck;
	struct touched *touched = counting_touched(sv);
	int64_t now = clock_mono_ms(), measured = s->measured_at;
	char age[24], text[READING_TEXT + 60];

	touched_read(touched);
	if (has_worked(sv, now) || touched_at(touched) > measured ||
	    is_waiting_command(s->tool))
		note_progress(sv);
	loop_timer_set(s->timer, sv->spec.stall_after_ms / CHECKS);
	if (now - s->moved_at < sv->spec.stall_after_ms || sv->state.stuck)
		return;
	clock_age(now - s->moved_at, age, sizeof age);
	snprintf(text, sizeof text, "stalled: nothing has moved for %s%s%s",
		 age, s->tool[0] ? ", in " : "", s->tool);
	set_stuck(sv, text);
	monitor_update(sv);
}

/* -- loops ------------------------------------------------------------------
 */

static void count_call(struct supervisor *sv, uint64_t call)
{
	struct stuck *s = sv->stuck;
	char text[READING_TEXT + 60];
	bool same = call == s->call;

	s->calls = same ? s->calls + 1 : 1;
	s->call = call;
	if (!same && s->loops) {
		s->loops = false;
		set_stuck(sv, NULL);
	}
	if (s->calls != LOOPS)
		return;
	s->loops = true;
	snprintf(text, sizeof text, "loops: %d times the same result of %s",
		 LOOPS, s->tool[0] ? s->tool : "a tool");
	set_stuck(sv, text);
}

static void forget_calls(struct supervisor *sv)
{
	sv->stuck->call = 0;
	sv->stuck->calls = 0;
	sv->stuck->loops = false;
}

/* -- the part ---------------------------------------------------------------
 */

static int stuck_init(struct supervisor *sv, struct err *err)
{
	sv->stuck->timer = loop_timer_add(sv->loop, check_stall, sv);
	return 0;
}

static void stuck_reading(struct supervisor *sv, const struct reading *r)
{
	struct stuck *s = sv->stuck;

	if (r->source != SOURCE_HOOK)
		return;
	if (r->turn_started || r->turn_ended)
		forget_calls(sv);
	if (r->call)
		count_call(sv, r->call);
	if (r->activity == ACTIVITY_WORKING)
		memcpy(s->tool, r->detail, sizeof s->tool);
	if (r->call || r->turn_started || r->turn_ended)
		s->tool[0] = '\0';
	note_progress(sv);
}

static void stuck_output(struct supervisor *sv, const char *data, size_t len)
{
	if (!sv->adapter->hook)
		note_progress(sv);
}

static void stuck_verdict(struct supervisor *sv, const struct verdict *was)
{
	struct stuck *s = sv->stuck;

	if (!is_working(sv) || sv->spec.stall_after_ms <= 0) {
		loop_timer_stop(s->timer);
		forget_calls(sv);
		set_stuck(sv, NULL);
	} else if (!loop_timer_active(s->timer)) {
		s->moved_at = clock_mono_ms();
		has_worked(sv, s->moved_at);
		loop_timer_set(s->timer, sv->spec.stall_after_ms / CHECKS);
	}
}

static void stuck_end(struct supervisor *sv, const char *reason)
{
	loop_timer_stop(sv->stuck->timer);
	mem_set(&sv->state.stuck, NULL);
}

static void stuck_finish(struct supervisor *sv)
{
	loop_timer_remove(sv->stuck->timer);
}

const struct part stuck_part = {
    .own = PART_OWN(stuck),
    .init = stuck_init,
    .reading = stuck_reading,
    .output = stuck_output,
    .verdict = stuck_verdict,
    .end = stuck_end,
    .finish = stuck_finish,
};
