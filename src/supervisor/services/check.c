/*
 * check.c - checks the work at the end of a turn. The user's command (check in
 * afw.ini) runs as a shell of the session (shell.c): in its worktree and
 * sandbox, with its output in `afw logs --service check`.
 *
 * A turn that failed is not checked. If the agent works again, the check is
 * void. If the user wants it, the output of a failed check is sent to the
 * agent, up to a number of times in a row and up to a total time; so the agent
 * continues by itself until the check passes. Each such message begins a round,
 * which the state shows during it and after the last.
 */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "base/json.h"
#include "supervisor/harness/harness.h"
#include "supervisor/part.h"
#include "supervisor/sender/messages.h"
#include "supervisor/services/services.h"

#define NAME	   "check"
#define LINE_SHOWN 200

struct check {
	struct service *run;	/* running; or NULL */
	struct service *ending; /* a void one; the next waits for it */
	struct loop_timer *late;
	bool due;	       /* the agent has worked since the last check */
	bool is_late;	       /* the running check is being ended */
	int64_t feedback_sent; /* failures in a row that were sent */
	bool feeding;	       /* the next message to be typed is a failure */
};

static void set_check(struct supervisor *sv, const char *state,
		      const char *line)
{
	mem_set(&sv->state.check, state);
	mem_set(&sv->state.check_line, line);
	publish_soon(sv);
}

/* Shows the round that was sent last: the next or checked turn belongs to
 * it. */
static void set_round(struct supervisor *sv)
{
	sv->state.check_round = sv->check->feedback_sent;
	publish_soon(sv);
}

static void report_result(struct supervisor *sv, const char *state,
			  const char *why, const char *line, bool feeds)
{
	cJSON *o = cJSON_CreateObject();

	set_check(sv, state, line);
	json_set_str(o, "state", state);
	json_set_str(o, "reason", why);
	json_set_str(o, "line", line);
	if (sv->spec.check_feedback > 0) {
		json_set_int(o, "round", sv->check->feedback_sent);
		json_set_int(o, "rounds", sv->spec.check_feedback);
		json_set_bool(o, "fed_back", feeds);
	}
	publish_event(sv, "check", o);
}

/* Returns whether one more failure may be sent to the agent. */
static bool may_send_feedback(const struct supervisor *sv)
{
	return sv->check->feedback_sent < sv->spec.check_feedback;
}

/* Sends the failure to the agent, with the end of the command's output. */
static void send_feedback(struct supervisor *sv, const struct service *s,
			  const char *why)
{
	struct check *c = sv->check;
	const struct strv *command = &sv->spec.check;
	struct buf text = {0};

	c->feedback_sent++;
	buf_adds(&text, "The check of your work");
	for (size_t i = 0; i < command->n; i++)
		buf_addf(&text, "%s%s", i ? " " : " (", command->v[i]);
	buf_addf(&text,
		 ") %s. The end of what it printed:\n\n%s\n\n"
		 "Make it pass.",
		 why, s->log.tail.len ? s->log.tail.data : "(nothing)");
	c->feeding = messages_send(sv, text.data) > 0;
	buf_finish(&text);
}

static void update_check(struct supervisor *sv);

static void on_gone(struct service *s)
{
	struct supervisor *sv = s->sv;
	struct check *c = sv->check;
	bool passed = s->pid && !c->is_late && WIFEXITED(s->wait_status) &&
		      WEXITSTATUS(s->wait_status) == 0;
	bool feeds = !passed && may_send_feedback(sv);
	char line[LINE_SHOWN], why[280];

	if (c->ending == s) {
		c->ending = NULL;
		update_check(sv); /* it may start a new check */
		return;
	}
	if (c->run != s)
		return;
	c->run = NULL;
	loop_timer_stop(c->late);
	/* The supervisor ended it, with the session. */
	if (sv->services->down) {
		set_check(sv, NULL, NULL);
		return;
	}
	service_log_last(s, line, sizeof line);
	snprintf(why, sizeof why, "%s",
		 c->is_late ? "was not done in time (check_timeout)" : s->why);
	report_result(sv, passed ? "passed" : "failed", why, line, feeds);
	if (passed)
		c->feedback_sent = 0;
	if (feeds)
		send_feedback(sv, s, why);
}

static void begin_check(struct supervisor *sv)
{
	struct check *c = sv->check;
	struct err err = {0};
	struct service *s;

	c->due = c->is_late = false;
	set_round(sv);
	s = services_add_shell(sv, NAME, &sv->spec.check, &(struct strv){0},
			       &err);
	if (!s) {
		report_result(sv, "failed", err.what, err.what, false);
		return;
	}
	s->gone = on_gone;
	c->run = s;
	set_check(sv, "running", NULL);
	loop_timer_set(c->late, sv->spec.check_timeout_ms);
}

static void cancel_check(struct supervisor *sv)
{
	struct check *c = sv->check;
	struct service *s = c->run;

	c->run = NULL;
	loop_timer_stop(c->late);
	if (s) {
		c->ending = s;
		service_stop(s, sv->spec.stop_timeout_ms);
	}
	if (sv->state.check)
		set_check(sv, NULL, NULL);
}

static void on_late(void *ctx)
{
	struct supervisor *sv = ctx;

	sv->check->is_late = true;
	service_stop(sv->check->run, sv->spec.stop_timeout_ms);
}

static int check_init(struct supervisor *sv, struct err *err)
{
	sv->check->late = loop_timer_add(sv->loop, on_late, sv);
	return 0;
}

static void check_start(struct supervisor *sv)
{
	sv->state.check_rounds = sv->spec.check.n ? sv->spec.check_feedback : 0;
	sv->state.check_round = 0;
	set_check(sv, NULL, NULL);
}

static void update_check(struct supervisor *sv)
{
	const struct verdict *v = &sv->verdict;
	struct check *c = sv->check;

	/* No check begins or is cancelled while the agent is stopped. */
	if (sv->spec.check.n == 0 || sv->end->why != ENDING_NONE)
		return;
	/* A user who interrupts the agent has taken over. */
	if (c->feedback_sent &&
	    activity_is_idle_interrupted(sv->observer.activity)) {
		c->feedback_sent = 0;
		set_round(sv);
	}
	if (v->activity == ACTIVITY_WORKING ||
	    v->activity == ACTIVITY_THINKING) {
		if (!c->due)
			cancel_check(sv);
		c->due = true;
	} else if (v->activity == ACTIVITY_COMPLETED && c->due && !c->ending &&
		   !v->failed && !v->may_fail && !v->hooks_running &&
		   !sender_queued(sv->sender) && !sv->end->exited) {
		begin_check(sv);
	}
}

static void check_verdict(struct supervisor *sv, const struct verdict *was)
{
	update_check(sv);
}

static void check_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	struct check *c = sv->check;

	if (what != ACT_SENT || sv->spec.check.n == 0)
		return;
	if (!c->feeding)
		c->feedback_sent = 0;
	c->feeding = false;
	cancel_check(sv);
	set_round(sv);
}

static void check_end(struct supervisor *sv, const char *reason)
{
	if (sv->check->run)
		cancel_check(sv);
}

static void check_finish(struct supervisor *sv)
{
	loop_timer_remove(sv->check->late);
}

const struct part check_part = {
    .own = PART_OWN(check),
    .init = check_init,
    .start = check_start,
    .verdict = check_verdict,
    .acted = check_acted,
    .end = check_end,
    .finish = check_finish,
};
