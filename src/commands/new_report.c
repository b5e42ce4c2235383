/* new_report.c - reports where a new session is running, what its agent asks or
 * why it has ended, and what its worktree may lack. */
#include "commands/new_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "session/live/changes.h"
#include "session/session.h"

#define TOOK_MS	 1000 /* below that nobody asks what took so long */
#define SHOWN_MS 50
#define ASKS_MS	 3000 /* Claude Code's first dialog appears after 2 s */

static void print_location(const struct new_session *n)
{
	const char *origin = config_origin(n->plan.config, OPTION_HARNESS);
	/* The harness was not named on the command line. */
	bool chosen = args_has(n->plan.args, "agent") || n->plan.args->n_rest;
	bool from = !chosen && strcmp(origin, "default") != 0;
	bool waits = args_has(n->plan.args, "no-start");
	const struct spec *s = &n->spec;
	_buf_ struct buf with = {0};

	if (s->after) {
		output_line(stdout, "%s: %s waits for %s", s->name, s->harness,
			    s->after);
		return;
	}
	for (size_t i = 1; i < spec_count(s); i++)
		buf_addf(&with, "%s%s", i > 1 ? ", " : ", with ",
			 spec_of(s, i).worktree);
	buf_adds(&with, "");
	output_line(stdout, "%s: %s%s%s%s%s %s in %s%s%s%s", s->name,
		    s->harness, chosen ? "" : " (the default",
		    from ? ", from " : "", from ? origin : "",
		    chosen ? "" : ")", waits ? "is to run" : "runs",
		    s->worktree, with.data, s->branch ? " on branch " : "",
		    s->branch ? s->branch : "");
	if (waits)
		output_hint("`afw start %s` starts it", s->name);
	fflush(stdout);
}

/* "fix: took 3.2 s: checkout 1.1 s, copy 1.8 s, start 0.2 s", for a person who
 * waited. */
static void print_took(const struct new_session *n)
{
	int64_t rest = n->made_ms, ms;
	_buf_ struct buf steps = {0};
	const cJSON *step;

	if (n->made_ms < TOOK_MS || !isatty(STDERR_FILENO))
		return;
	cJSON_ArrayForEach (step, n->took) {
		ms = (int64_t)step->valuedouble;
		rest -= ms;
		if (ms >= SHOWN_MS)
			buf_addf(&steps, "%s %.1f s, ", step->string,
				 (double)ms / 1000);
	}
	output_line(stderr, "%s: took %.1f s: %s%s %.1f s", n->spec.name,
		    (double)n->made_ms / 1000, steps.len ? steps.data : "",
		    args_has(n->plan.args, "no-start") ? "the rest" : "start",
		    (double)rest / 1000);
}

static bool may_ask(const struct new_session *n)
{
	return !args_has(n->plan.args, "no-start") && !n->spec.after &&
	       cJSON_HasObjectItem(n->spec.harness_config, "waiting");
}

/* Returns whether its process has ended, and its supervisor ends the rest. */
static bool is_ending(const struct session *s)
{
	struct process p;

	return s->state.pid > 0 &&
	       (!process_read(s->state.pid, &p) || p.zombie);
}

/* An agent may ask whether it may trust the directory, or how to log in, before
 * it reads its task, or end for want of a key: waits until its activity is
 * known. */
static int load_settled(const struct new_session *n, struct session *s,
			struct err *err)
{
	int64_t end = clock_mono_ms() + ASKS_MS, left;
	struct changes *w = may_ask(n) ? changes_create() : NULL;
	int rc;

	if (w)
		changes_add(w, n->dir, CHANGES_SHOWN);
	for (;;) {
		rc = session_load(s, n->spec.id, err);
		left = end - clock_mono_ms();
		if (rc < 0 || !w || left <= 0 || !s->alive ||
		    s->state.phase == PHASE_ERROR ||
		    (s->state.activity != ACTIVITY_NONE && !s->state.unsure &&
		     !is_ending(s)))
			break;
		session_finish(s);
		changes_wait(w, left);
	}
	changes_destroy(w);
	return rc;
}

/* Fails if the agent has ended with an error already: the session is kept. new
 * does not wait for a command, and would report only some of their ends. */
static int check_ended(const struct new_session *n, const struct session *s,
		       struct err *err)
{
	const struct state *state = &s->state;
	const char *last = state->last_line;

	if (state->phase != PHASE_ERROR || !may_ask(n))
		return 0;
	err_set(err, ERR_FAILED, "new '%s': %s%s%s", s->spec.name,
		state->error_reason ? state->error_reason : "it has failed",
		last && last[0] ? ": " : "", last ? last : "");
	return err_hint(err,
			"`afw logs %s` has what it printed, `afw retry %s` "
			"starts it again",
			s->spec.name, s->spec.name);
}

static void report_question(const struct new_session *n,
			    const struct session *s)
{
	const char *what = s->state.detail ? s->state.detail : "a question";

	if (s->state.activity != ACTIVITY_WAITING_FOR_INPUT)
		return;
	output_warn("%s: before it begins, it %s%s", s->spec.name,
		    strncmp(what, "asks ", 5) == 0 ? "" : "asks: ", what);
	output_hint("`afw attach %s` answers it%s", s->spec.name,
		    strstr(what, "trust") &&
			    !config_repository_trusted(n->plan.config)
			? ", `afw trust` at every later start"
			: "");
}

/* Reports what agents lack most often in a new worktree, for a repository's
 * first session. */
static void report_missing(const struct new_session *n)
{
	static const char *const names[] = {".env", "node_modules", ".venv",
					    NULL};
	const char *missing = NULL;

	if (!n->first || n->spec.after || n->spec.place ||
	    config_list(n->plan.config, OPTION_COPY)->n ||
	    config_list(n->plan.config, OPTION_LINK)->n ||
	    config_list(n->plan.config, OPTION_SETUP)->n ||
	    config_list(n->plan.config, OPTION_SETUP_SPARE)->n)
		return;
	for (size_t i = 0; names[i] && !missing; i++) {
		char *here = file_join(n->repository, names[i]);
		char *there = file_join(n->spec.worktree, names[i]);

		if (access(here, F_OK) == 0 && access(there, F_OK) < 0)
			missing = names[i];
		free(here);
		free(there);
	}
	if (missing)
		output_hint("its worktree has no %s: `copy`, `link` and "
			    "`setup` in .af/afw.ini or afw.ini(5) bring what "
			    "git does not",
			    missing);
}

/* The budget of a day may be used up by other sessions. */
static void report_budget(const struct session *s)
{
	if (!state_over_budget(&s->state))
		return;
	output_warn("%s: %s: its task waits", s->spec.name,
		    s->state.limited_words);
	output_hint("`afw start --over-budget %s` lets it begin", s->spec.name);
}

int new_report(const struct new_session *n, struct err *err)
{
	bool json = args_has(n->plan.args, "json");
	struct session s;
	int rc;

	if (!json)
		print_location(n);
	print_took(n);
	if (!json && args_has(n->plan.args, "attach"))
		return 0;
	if (load_settled(n, &s, err) < 0)
		return -1;
	report_question(n, &s);
	report_budget(&s);
	report_missing(n);
	if (json) {
		cJSON *o = session_to_json(&s);

		json_set_strv(o, "hooks_not_run", &n->hooks_not_run);
		output_json(o);
	}
	rc = check_ended(n, &s, err);
	session_finish(&s);
	return rc;
}
