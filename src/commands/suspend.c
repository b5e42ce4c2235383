/*
 * suspend.c - afw suspend: ends the harness with the intent to resume it.
 *
 * As stop, but the phase says what is to come: `afw resume --all` brings it
 * back. Its conversation stands in state.json from the start on.
 */
#include <stdio.h>

#include "adapters/adapter.h"
#include "adapters/rules.h"
#include "commands/command.h"
#include "commands/output.h"
#include "commands/stop.h"

static const struct command_option options[] = {
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "grace before it is killed; default stop_timeout"},
    {.name = "json", .help = "the session as one object a line"},
    {.name = NULL},
};

static void warn_if_lost(const struct session *s)
{
	struct rules *rules = rules_create(s->spec.harness_config, NULL);

	if (!adapter_can_resume(adapter_find(s->spec.harness), rules))
		output_warn("%s: %s cannot go on with a conversation: it will "
			    "start afresh",
			    s->spec.name, s->spec.harness);
	else if (!s->state.conversation)
		output_warn("%s: its conversation is not known: it may start "
			    "afresh",
			    s->spec.name);
	rules_destroy(rules);
}

static int refuse(const struct session *s, struct err *err)
{
	const char *why = s->state.error_reason;

	err_set(err, ERR_NOT_RUNNING, "suspend '%s': it does not run (%s%s%s)",
		s->spec.name, phase_name(s->state.phase), why ? ": " : "",
		why ? why : "");
	return err_hint(err, "`afw resume %s` goes on with its conversation",
			s->spec.name);
}

static int suspend_one(const char *name, int64_t grace_ms, bool json,
		       struct err *err)
{
	struct session s, after;
	int rc = 0;

	if (session_find(&s, name, err) < 0)
		return -1;
	if (s.alive)
		rc = stop_session(&s, "suspend", grace_ms, err);
	else if (s.state.phase != PHASE_SUSPENDED)
		rc = refuse(&s, err);
	if (rc == 0)
		rc = session_load(&after, s.spec.id, err);
	if (rc < 0) {
		session_finish(&s);
		return rc;
	}
	/* It may have ended by itself, or been stopped, just before. */
	if (after.state.phase != PHASE_SUSPENDED) {
		rc = err_set(err, ERR_CONFLICT,
			     "suspend '%s': it is %s: it was stopped or "
			     "started meanwhile",
			     s.spec.name, phase_name(after.state.phase));
	} else if (json) {
		output_json(session_to_json(&after));
	} else {
		printf("%s: %ssuspended\n", s.spec.name,
		       s.alive ? "" : "was already ");
		if (s.alive)
			warn_if_lost(&after);
	}
	session_finish(&after);
	session_finish(&s);
	return rc;
}

static int run(const struct args *args, struct err *err)
{
	bool json = args_has(args, "json");
	long long grace;
	int rc = 0;

	if (args_duration_ms(args, "timeout", -1, &grace, err) < 0)
		return -1;
	for (size_t i = 0; i < args->n; i++) {
		struct err why = {0};

		if (suspend_one(args->positional[i], grace, json, &why) == 0)
			continue;
		if (rc < 0)
			output_warn("%s", err->what);
		*err = why;
		rc = -1;
	}
	return rc;
}

const struct command command_suspend = {
    .name = "suspend",
    .usage = "NAME...",
    .summary = "end the agent to resume it later",
    .completes = "session",
    .min_args = 1,
    .max_args = -1,
    .options = options,
    .run = run,
};
