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
#include "commands/option_rows.h"
#include "commands/output.h"
#include "commands/stop.h"

static const struct command_option options[] = {
    OPTION_ROW_STOP_TIMEOUT,
    OPTION_ROW_JSON_SESSION,
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

static int suspend_one(struct session *s, const struct args *args,
		       struct err *err)
{
	struct session after;
	int rc = 0;

	session_settle(s);
	if (s->alive)
		rc = stop_session(s, "suspend",
				  args_duration_ms(args, "timeout", -1), err);
	else if (s->state.phase != PHASE_SUSPENDED)
		rc = refuse(s, err);
	if (rc < 0 || session_load(&after, s->spec.id, err) < 0)
		return -1;
	/* It may have ended by itself, or been stopped, just before. */
	if (after.state.phase != PHASE_SUSPENDED) {
		rc = err_set(err, ERR_CONFLICT,
			     "suspend '%s': it was stopped or started "
			     "meanwhile (%s)",
			     s->spec.name, phase_name(after.state.phase));
	} else if (args_has(args, "json")) {
		output_json(session_to_json(&after));
	} else {
		printf("%s: %ssuspended", s->spec.name,
		       s->alive ? "" : "was already ");
		stop_say_queued(&after);
		if (s->alive)
			warn_if_lost(&after);
	}
	session_finish(&after);
	return rc;
}

const struct command command_suspend = {
    .name = "suspend",
    .usage = "[NAME...]",
    .summary = "end the agent to resume it later",
    .completes = "session",
    .max_args = -1,
    .options = options,
    .each = suspend_one,
};
