/*
 * wait.c - afw wait: waits until sessions reach a state, or their checks pass.
 *
 * It wakes up on changes in the sessions' directories and reads the state from
 * the files each time, so that it misses only states that were shorter than the
 * time between two reads.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/wait_goals.h"
#include "session/live/changes.h"

/* A queued message is delivered within this time after the agent becomes idle,
 * unless a draft or a dialog prevents it until the user acts. */
#define GOES_IN_MS 30000

static const struct command_option options[] = {
    {.name = "for",
     .letter = 'f',
     .arg = "LIST",
     .help = "the wanted states, with commas; default " WAIT_GOALS,
     .not_with = "checked"},
    {.name = "checked",
     .help = "wait until the check of the last turn has passed"},
    {.name = "group",
     .letter = 'g',
     .arg = "GROUP",
     .help = "all sessions of this repository in GROUP"},
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "give up after this long (30s, 5m); default never"},
    {.name = "any",
     .help = "return when the first session has reached a wanted state",
     .not_with = "all"},
    {.name = "all", .help = "return when all of them have (the default)"},
    {.name = "json", .help = "print one object a line: name, reached, session"},
    {.name = NULL},
};

struct target {
	struct session s;
	const char *reached; /* the goal's long name, or NULL; and its term */
	const char *word;
	const char *first; /* its state when it was first read */
	/* idle at a goal, but with a queued message, or with a failed check
	 * that may still be sent to the agent; mono ms, or 0 */
	int64_t rests_since;
};

static bool is_idle(const struct session *s)
{
	return s->state.phase == PHASE_RUNNING &&
	       activity_is_idle(s->state.activity);
}

/* Returns whether it is idle only until the next message is delivered. */
static bool is_between_messages(struct target *t)
{
	int64_t now = clock_mono_ms();

	if (!is_idle(&t->s) || t->s.state.queued == 0 ||
	    state_over_budget(&t->s.state)) {
		t->rests_since = 0;
		return false;
	}
	if (t->rests_since == 0)
		t->rests_since = now;
	return now - t->rests_since < GOES_IN_MS;
}

/* Returns whether its state can no longer change by itself. */
static bool is_over(const struct session *s)
{
	return !s->alive && !phase_is_live(s->state.phase);
}

/* Returns whether a failed check may still be sent to the agent. The time limit
 * for that may be over, which the state does not show. */
static bool may_continue(struct target *t)
{
	const struct state *st = &t->s.state;
	int64_t now = clock_mono_ms();

	if (st->check_round >= st->check_rounds)
		return false;
	if (t->rests_since == 0)
		t->rests_since = now;
	return now - t->rests_since < GOES_IN_MS;
}

/* Checks whether its check has passed. -1 if it cannot pass by itself. */
static int update_checked(struct target *t, struct err *err)
{
	const char *check = t->s.state.check;
	bool failed = check && strcmp(check, "failed") == 0;

	t->word = "passed";
	if (targets_check_passed(&t->s, "wait for", err) == 0) {
		t->reached = is_between_messages(t) ? NULL : t->word;
		return 0;
	}
	if (failed || t->s.spec.check.n == 0)
		return failed && may_continue(t) ? 0 : -1;
	if (t->s.state.activity == ACTIVITY_FAILED)
		return is_between_messages(t) ? 0 : -1;
	t->rests_since = 0;
	return 0;
}

static void update_goal(struct target *t, const struct wait_goals *g)
{
	t->reached = wait_goals_reached(g, &t->s, &t->word);
	if (!t->first)
		t->first = t->word;
	if (!t->reached && g->change && !t->s.state.unsure &&
	    strcmp(t->first, session_status_word(&t->s)) != 0) {
		t->reached = t->word;
		return;
	}
	if (!t->reached || g->phase[t->s.state.phase])
		t->rests_since = 0;
	else if (is_between_messages(t))
		t->reached = NULL;
}

/* Reads the session again, and checks whether it has reached a goal. */
static int update_target(struct target *t, const struct wait_goals *g,
			 struct err *err)
{
	struct session now;

	if (session_load(&now, t->s.spec.id, err) < 0)
		return -1;
	if (now.broken) {
		err_set(err, ERR_NOT_RUNNING,
			"wait for '%s': it was removed or cannot be read: %s",
			t->s.spec.name, now.state.error_reason);
		session_finish(&now);
		return -1;
	}
	session_finish(&t->s);
	t->s = now;
	if (!g->checked)
		update_goal(t, g);
	else if (update_checked(t, err) < 0)
		return -1;
	if (t->reached || !is_over(&t->s))
		return 0;
	return err_set(err, ERR_NOT_RUNNING, "wait for '%s': it %s (%s%s%s)",
		       t->s.spec.name,
		       t->s.state.phase == PHASE_CREATED ? "was never started"
							 : "has ended",
		       session_status_word(&t->s),
		       t->s.state.error_reason ? ": " : "",
		       t->s.state.error_reason ? t->s.state.error_reason : "");
}

static void print_reached(const struct target *t, bool json, size_t n)
{
	cJSON *o;

	if (!json) {
		if (n > 1)
			printf("%s: ", t->s.spec.name);
		puts(t->word);
		return;
	}
	o = cJSON_CreateObject();
	json_set_str(o, "id", t->s.spec.id);
	json_set_str(o, "name", t->s.spec.name);
	json_set_str(o, "reached", t->reached);
	cJSON_AddItemToObject(o, "session", session_to_json(&t->s));
	output_json(o);
}

struct waiting {
	struct target *v;
	size_t n;
	struct wait_goals goals;
	bool any, json;
	int64_t timeout_ms; /* -1: none */
};

/* Checks each session that has not reached a goal. Returns how many have not.
 * *failed counts those that no longer can; err has the first of them. */
static size_t update_all(struct waiting *w, size_t *failed, struct err *err)
{
	size_t left = 0;

	*failed = 0;
	for (size_t i = 0; i < w->n; i++) {
		struct err why = {0};

		if (w->v[i].reached)
			continue;
		if (update_target(&w->v[i], &w->goals, &why) < 0) {
			if ((*failed)++ == 0)
				*err = why;
			left++;
		} else if (w->v[i].reached) {
			print_reached(&w->v[i], w->json, w->n);
		} else {
			left++;
		}
	}
	fflush(stdout);
	return left;
}

/* Returns how long the state of the sessions can change only by an event, in
 * ms; -1: forever. */
static int64_t quiet_ms(const struct waiting *w, int64_t end)
{
	int64_t now = clock_mono_ms(), at = w->timeout_ms >= 0 ? end : -1;

	for (size_t i = 0; i < w->n; i++) {
		int64_t gone_in = w->v[i].rests_since + GOES_IN_MS;

		if (!w->v[i].reached && w->v[i].rests_since &&
		    (at < 0 || gone_in < at))
			at = gone_in;
	}
	return at < 0 ? -1 : at > now ? at - now : 0;
}

static int timed_out(const struct waiting *w, struct err *err)
{
	bool seconds = w->timeout_ms % 1000 == 0;

	for (size_t i = 0; i < w->n; i++)
		if (!w->v[i].reached)
			return err_set(
			    err, ERR_TIMEOUT,
			    "wait for '%s': it reached none of the wanted "
			    "states in %lld %s (%s%s)",
			    w->v[i].s.spec.name,
			    (long long)w->timeout_ms / (seconds ? 1000 : 1),
			    seconds ? "s" : "ms",
			    session_status_word(&w->v[i].s),
			    is_idle(&w->v[i].s) && w->v[i].s.state.queued
				? "; a message is queued"
				: "");
	return 0;
}

/* The reached states, by default: "done" of one may be enough, "failed" is
 * not. */
static int check_reached(const struct waiting *w, struct err *err)
{
	const struct target *failed = NULL;
	bool other = false;

	for (size_t i = 0; i < w->n; i++) {
		const struct target *t = &w->v[i];

		if (t->reached && session_urgency(&t->s) != WORD_FAILED)
			other = true;
		else if (t->reached && !failed)
			failed = t;
	}
	if (w->goals.given || !failed || (w->any && other))
		return 0;
	return targets_err_failed(&failed->s, "wait for", err);
}

static int wait_for(struct waiting *w, struct err *err)
{
	int64_t end = clock_mono_ms() + w->timeout_ms;
	struct changes *watch = changes_create();
	int rc;

	for (size_t i = 0; i < w->n; i++)
		changes_add(watch, w->v[i].s.dir, CHANGES_SHOWN);
	for (;;) {
		size_t failed, left = update_all(w, &failed, err);

		rc = 0;
		if (left == 0 || (w->any && left < w->n)) {
			rc = check_reached(w, err);
			break;
		}
		rc = -1;
		/* With --any a session that has ended is not yet an error. */
		if (failed && (!w->any || failed == left))
			break;
		if (w->timeout_ms >= 0 && clock_mono_ms() >= end) {
			rc = timed_out(w, err);
			break;
		}
		changes_wait(watch, quiet_ms(w, end));
	}
	changes_destroy(watch);
	return rc;
}

static void finish(struct waiting *w)
{
	for (size_t i = 0; i < w->n; i++)
		session_finish(&w->v[i].s);
	free(w->v);
}

static int find_named(struct waiting *w, const struct args *args,
		      struct err *err)
{
	_session_names_ struct session_names names = {0};
	size_t n = args_sessions(args);

	if (session_names_load(&names, err) < 0)
		return -1;
	w->v = mem_alloc(n * sizeof *w->v);
	for (; w->n < n; w->n++)
		if (targets_find_named(&names, &w->v[w->n].s,
				       args->positional[w->n], err) < 0)
			return -1;
	return 0;
}

static int find_group(struct waiting *w, const struct args *args,
		      struct err *err)
{
	struct session_list l;

	if (args->n)
		return err_set(err, ERR_USAGE,
			       "wait: either names ('%.64s') or --group, not "
			       "both",
			       args->positional[0]);
	if (targets_find_group(&l, args_value(args, "group"), err) < 0)
		return -1;
	w->v = mem_alloc(l.n * sizeof *w->v);
	for (; w->n < l.n; w->n++)
		w->v[w->n].s = l.v[w->n]; /* moved */
	free(l.v);
	return 0;
}

static int cmd_wait(const struct args *args, struct err *err)
{
	const char *list = args_value(args, "for");
	CLEANUP(finish)
	struct waiting w = {.any = args_has(args, "any"),
			    .json = args_has(args, "json")};

	if (wait_goals_parse(&w.goals, list ? list : WAIT_GOALS, err) < 0)
		return -1;
	w.goals.checked = args_has(args, "checked");
	w.goals.given = list || w.goals.checked;
	w.timeout_ms = args_duration_ms(args, "timeout", -1);
	if ((args_has(args, "group") ? find_group(&w, args, err)
				     : find_named(&w, args, err)) < 0)
		return -1;
	return wait_for(&w, err);
}

const struct command command_wait = {
    .name = "wait",
    .usage = "[NAME...]",
    .summary = "wait until sessions are done or need you",
    .completes = "session",
    .max_args = -1,
    .options = options,
    .run = cmd_wait,
};
