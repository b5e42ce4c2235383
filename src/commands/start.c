/*
 * start.c - afw start, resume, retry: start the harness again in a session that
 * is not running, with its conversation if it has one; and restart, which stops
 * it first and starts it from scratch.
 *
 * If the session is already in the requested state, that is reported and is not
 * an error. While another command starts or stops it, that is a conflict,
 * because its next state is unknown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/env_list.h"
#include "base/json.h"
#include "commands/cli/option_rows.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/launch/bring_up.h"
#include "commands/launch/briefing.h"
#include "commands/launch/env_args.h"
#include "commands/launch/harnesses.h"
#include "commands/launch/overrides.h"
#include "commands/launch/pull.h"
#include "commands/launch/settings.h"
#include "commands/start.h"
#include "commands/stop.h"
#include "config/template.h"
#include "session/live/connection.h"
#include "session/live/limit.h"
#include "session/live/processes.h"

static const struct command_option start_options[] = {
    {.name = "fresh", .help = "begin a new conversation"},
    {.name = "over-budget",
     .help = "allow as much again as its budget, also if it is running"},
    OPTION_ROWS_TASK,
    OPTION_ROWS_OVERRIDES,
    OPTION_ROW_JSON_SESSION,
    {.name = NULL},
};

static const struct command_option resume_options[] = {
    {.name = "all",
     .help = "all sessions that are suspended or were lost",
     .not_with = "message file",
     .why = "a message is for one session"},
    OPTION_ROW_FRESH,
    OPTION_ROWS_TASK,
    OPTION_ROW_JSON_SESSION,
    {.name = NULL},
};

static const struct command_option retry_options[] = {
    OPTION_ROW_FRESH,
    OPTION_ROWS_TASK,
    OPTION_ROW_JSON_SESSION,
    {.name = NULL},
};

static const struct command_option restart_options[] = {
    {.name = "resume", .letter = 'r', .help = "continue its conversation"},
    {.name = "instructions",
     .arg = "FILE",
     .help = "other instructions, from a file; continues its conversation"},
    {.name = "mcp",
     .arg = "FILE",
     .help = "other MCP servers; continues its conversation"},
    OPTION_ROW_STOP_TIMEOUT,
    OPTION_ROWS_TASK,
    OPTION_ROW_JSON_SESSION,
    {.name = NULL},
};

/* The variables' values are not stored: they must be given again. */
static void warn_missing(const struct session *s, const struct strv *env)
{
	for (size_t i = 0; i < s->spec.env_names.n; i++) {
		const char *name = s->spec.env_names.v[i];

		if (!getenv(name) && !env_get(env, name))
			output_warn("%s: %s was given at its start and is not "
				    "set now",
				    s->spec.name, name);
	}
}

static int print_started(const struct session *s, bool json, bool resumed,
			 struct err *err)
{
	struct session now;
	cJSON *o;

	if (!json && bring_up_must_wait(s)) {
		printf("%s: waits for %s\n", s->spec.name, s->spec.after);
		return 0;
	}
	if (!json) {
		printf("%s: %s%s\n", s->spec.name,
		       resumed ? "resumed its conversation" : "started",
		       resumed || s->state.phase == PHASE_CREATED
			   ? ""
			   : " with a new conversation");
		return 0;
	}
	if (session_load(&now, s->spec.id, err) < 0)
		return -1;
	o = session_to_json(&now);
	json_set_bool(o, "resumed", resumed);
	output_json(o);
	session_finish(&now);
	return 0;
}

/* What happens to the earlier conversation: left, resumed, or resumed if there
 * is one. */
enum before { BEFORE_LEFT, BEFORE_RESUMED, BEFORE_IF_ANY };

/* If two templates have the same name, the other one may apply now. */
static int check_template(const struct config *c, const struct spec *s,
			  struct err *err)
{
	const char *is = template_owner(c, s->template_name, err),
		   *was = s->template_from;

	if (is && was && strcmp(is, was) != 0) {
		if (strcmp(was, "repository") == 0 &&
		    template_is_untrusted(c, s->template_name, err))
			return -1;
		output_warn("%s: its template %s was of: %s, and is of: %s",
			    s->name, s->template_name, was, is);
	}
	return is ? 0 : -1;
}

/* Applies its profile and template as they are now, and its own options. */
static int apply_own(struct plan *p, const struct spec *s, struct err *err)
{
	if ((!s->template_name || check_template(p->config, s, err) == 0) &&
	    plan_lay(p, s, err) == 0)
		return 0;
	if (err->kind == ERR_USAGE) /* not from this command line */
		err->kind = ERR_FAILED;
	return err_prefix(err, "start '%s'", s->name);
}

/* Reads and checks the input of a start before anything is changed. */
static int prepare(struct plan *p, struct session *s, struct err *err)
{
	const struct args *args = p->args;

	if (args->n > 1 &&
	    (args_has(args, "message") || args_has(args, "file")))
		return err_set(err, ERR_USAGE,
			       "start '%s': a message is for one session",
			       s->spec.name);
	if (plan_read(p, err) < 0 ||
	    settings_load(&p->config, spec_checkout(&s->spec), err) < 0)
		return -1;
	settings_warn_untrusted(p->config);
	/* An agent allows itself nothing; the supervisor checks that only if it
	 * runs already. */
	if (args_has(args, "over-budget") &&
	    process_check_user(process_supervisor(getpid()), err) < 0)
		return err_prefix(err, "start '%s'", s->spec.name);
	if (overrides_read(args, true, &s->spec.overrides, err) < 0 ||
	    overrides_check(args, s->spec.sandbox, err) < 0)
		return err_prefix(err, "start '%s'", s->spec.name);
	if (apply_own(p, &s->spec, err) < 0 ||
	    env_args_configured(p->config, spec_checkout(&s->spec), true,
				&p->env, err) < 0 ||
	    briefing_change(args, p->config, &s->spec, &p->env, err) < 0)
		return -1;
	/* As the start will use them. */
	settings_apply(p->config, &s->spec, false);
	if (harness_check_handoff(p->config, err) < 0 ||
	    pull_allowed(p->config, &s->spec, err) < 0 ||
	    (!bring_up_must_wait(s) && supervise_check(s, err) < 0))
		return -1;
	warn_missing(s, &p->env);
	return 0;
}

static int stop(const struct session *s, const struct plan *p, struct err *err)
{
	int64_t most = config_int(p->config, OPTION_MAX_SESSIONS);

	if (limit_check(most, 0, err) < 0)
		return err_prefix(err, "restart '%s'", s->spec.name);
	return stop_session(s, REQUEST_STOP,
			    args_duration_ms(p->args, "timeout", -1), err);
}

/*
 * Starts the harness with the given arguments; *resumed: with its conversation.
 * A session that is running (only with restart) is stopped
 * first, but after the checks, so that a missing file does not end an agent in
 * a turn. The lock is free for a moment between the two; if another process
 * takes the session then, this command fails with ERR_CONFLICT.
 */
static int bring_back(struct session *s, const struct args *args,
		      enum before before, bool *resumed, struct err *err)
{
	_plan_ struct plan plan = {.args = args};
	struct supervise how = {.plan = &plan,
				.fresh = args_has(args, "fresh"),
				.over_budget = args_has(args, "over-budget")};

	*resumed = false;
	if (s->state.phase == PHASE_CREATED)
		before = BEFORE_LEFT;
	how.resume = before != BEFORE_LEFT;
	how.if_any = before == BEFORE_IF_ANY;
	if (prepare(&plan, s, err) < 0)
		return -1;
	if (plan.message.len)
		how.message = plan.message.data;
	if (s->alive && stop(s, &plan, err) < 0)
		return -1;
	return bring_up(s, &how, resumed, err);
}

/* The same, and prints what it has done. */
static int start_session(struct session *s, const struct args *args,
			 enum before before, struct err *err)
{
	bool resumed;

	if (bring_back(s, args, before, &resumed, err) < 0)
		return -1;
	return print_started(s, args_has(args, "json"), resumed, err);
}

int start_quietly(struct session *s, struct err *err)
{
	char *none = NULL;
	struct args args;
	bool resumed;
	int rc = args_parse(&args, command_find("start"), 0, &none, err);

	session_wait_settled(s);
	if (rc == 0 && !s->alive)
		rc = bring_back(s, &args, BEFORE_IF_ANY, &resumed, err);
	args_finish(&args);
	return rc;
}

static int allow_more(struct session *s, const struct args *args,
		      struct err *err)
{
	_json_ cJSON *reply =
	    connect_request(s, REQUEST_OF(OVER_BUDGET), CONNECT_KEYS_MS, err);

	if (!reply)
		return err_prefix(err, "start '%s'", s->spec.name);
	if (args_has(args, "json"))
		output_json(session_to_json(s));
	else
		printf("%s: may use as much again\n", s->spec.name);
	return 0;
}

/* Handles a session that is alive already: the goal is reached, or it is a
 * conflict. */
static int check_running(struct session *s, const struct args *args,
			 struct err *err)
{
	const char *word = s->state.waits && s->state.detail ? s->state.detail
			   : s->state.phase == PHASE_RUNNING
			       ? "running"
			       : session_status_word(s);

	if (s->state.phase != PHASE_RUNNING && !s->state.waits) {
		err_set(err, ERR_CONFLICT,
			"'%s' is %s: another afw is using it", s->spec.name,
			word);
		return err_hint(err, "try again in a moment");
	}
	if (args_has(args, "message") || args_has(args, "file")) {
		err_set(err, ERR_CONFLICT,
			"'%s' %s%s already: the message was not sent",
			s->spec.name, s->state.waits ? "" : "is ", word);
		return err_hint(err, "`afw send %s TEXT` sends it",
				s->spec.name);
	}
	if (overrides_given(args)) {
		err_set(err, ERR_CONFLICT,
			"'%s' %s%s already: its options were not changed",
			s->spec.name, s->state.waits ? "" : "is ", word);
		return err_hint(err, "`afw stop %s` first", s->spec.name);
	}
	if (args_has(args, "over-budget"))
		return allow_more(s, args, err);
	if (args_has(args, "json"))
		output_json(session_to_json(s));
	else
		printf("%s: %s already\n", s->spec.name, word);
	return 0;
}

/* retry is only for a session that has failed. */
static int check_failed(const struct session *s, struct err *err)
{
	if (s->state.phase == PHASE_ERROR)
		return 0;
	err_set(err, ERR_CONFLICT, "retry '%s': it has not failed (%s)",
		s->spec.name, session_status_word(s));
	return err_hint(err, "`afw start %s` starts it", s->spec.name);
}

static int cmd_start(struct session *s, const struct args *args,
		     struct err *err)
{
	session_wait_settled(s);
	return s->alive ? check_running(s, args, err)
			: start_session(s, args,
					args_has(args, "fresh") ? BEFORE_LEFT
								: BEFORE_IF_ANY,
					err);
}

static int resume_one(struct session *s, const struct args *args,
		      struct err *err)
{
	session_wait_settled(s);
	return s->alive ? check_running(s, args, err)
			: start_session(s, args, BEFORE_RESUMED, err);
}

static int cmd_retry(struct session *s, const struct args *args,
		     struct err *err)
{
	session_wait_settled(s);
	if (!s->alive && check_failed(s, err) < 0)
		return -1;
	return resume_one(s, args, err);
}

/* Resumes the sessions that would be running if they had not been suspended or
 * lost. A session that cannot be started does not stop the others. */
static int resume_all(const struct args *args, struct err *err)
{
	struct session_list l;
	size_t tried = 0;
	int rc = 0;

	if (session_list_load(&l, err) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		struct session *s = &l.v[i];
		struct err why = {0};

		if (s->alive || s->broken ||
		    (s->state.phase != PHASE_SUSPENDED && !s->lost))
			continue;
		tried++;
		if (start_session(s, args, BEFORE_RESUMED, &why) == 0) {
			fflush(stdout);
			continue;
		}
		rc = output_one_failed(rc, &why, err);
	}
	session_list_finish(&l);
	if (tried == 0 && !args_has(args, "json"))
		puts("no session is suspended or was lost");
	return rc;
}

static int cmd_restart(struct session *s, const struct args *args,
		       struct err *err)
{
	bool changed = args_has(args, "instructions") || args_has(args, "mcp");

	session_wait_settled(s);
	return start_session(s, args,
			     args_has(args, "resume") ? BEFORE_RESUMED
			     : changed		      ? BEFORE_IF_ANY
						      : BEFORE_LEFT,
			     err);
}

static int cmd_resume(const struct args *args, struct err *err)
{
	bool all = args_has(args, "all");

	if (all && args->n > 0)
		return err_set(err, ERR_USAGE, "resume: --all takes no name");
	return all ? resume_all(args, err)
		   : targets_each(args, resume_one, err);
}

const struct command command_start = {
    .name = "start",
    .strict = true,
    .usage = "[NAME...]",
    .summary = "start or resume the agent of a session",
    .max_args = -1,
    .options = start_options,
    .each = cmd_start,
};

const struct command command_resume = {
    .name = "resume",
    .strict = true,
    .usage = "[NAME... | --all]",
    .summary = "start the agent of a session again, with its conversation",
    .completes = "session",
    .max_args = -1,
    .options = resume_options,
    .run = cmd_resume,
};

const struct command command_retry = {
    .name = "retry",
    .strict = true,
    .usage = "[NAME...]",
    .summary = "start the agent of a session that has failed again",
    .max_args = -1,
    .options = retry_options,
    .each = cmd_retry,
};

const struct command command_restart = {
    .name = "restart",
    .strict = true,
    .usage = "[NAME...]",
    .summary = "stop the agent and start it again",
    .max_args = -1,
    .options = restart_options,
    .each = cmd_restart,
};
