/*
 * start.c - afw start and afw resume: a harness again in a session that has
 * none, afresh or with its conversation.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "commands/command.h"
#include "commands/message.h"
#include "commands/output.h"
#include "commands/settings.h"
#include "commands/supervise.h"

static const struct command_option start_options[] = {
    {.name = "message", .letter = 'm', .arg = "TEXT", .help = "its next task"},
    {.name = "file",
     .letter = 'F',
     .arg = "FILE",
     .help = "its next task from a file, - for standard input"},
    {.name = "env",
     .letter = 'e',
     .arg = "NAME[=VALUE]",
     .many = true,
     .help = "a variable for the agent, without = from here"},
    {.name = "env-file",
     .arg = "FILE",
     .many = true,
     .help = "variables from a file of NAME=VALUE lines"},
    {.name = NULL},
};

static bool env_names_same(const char *entry, const char *name)
{
	size_t len = strlen(name);

	return strncmp(entry, name, len) == 0 && entry[len] == '=';
}

/* Values are never kept: what was given at the start must be given again. */
static void warn_missing(const struct session *s, const struct strv *env)
{
	for (size_t i = 0; i < s->spec.env_names.n; i++) {
		const char *name = s->spec.env_names.v[i];
		bool given = getenv(name) != NULL;

		for (size_t j = 0; j < env->n; j++)
			given |= env_names_same(env->v[j], name);
		if (!given)
			output_warn("%s: %s was given at its start and is not "
				    "set now",
				    s->spec.name, name);
	}
}

static int again(struct session *s, const struct args *args, bool resume,
		 struct err *err)
{
	struct config *config = NULL;
	struct strv env = {0}, degraded = {0};
	struct buf message = {0};
	struct supervise how = {.env = &env, .resume = resume};
	cJSON *o = NULL;

	if (message_read(args_value(args, "message"), args_value(args, "file"),
			 &message, err) < 0 ||
	    supervise_env(args, &env, err) < 0 ||
	    settings_load(&config, s->spec.repository, err) < 0)
		goto out;
	warn_missing(s, &env);
	how.message = message.len ? message.data : NULL;
	how.limit = settings_limit(config);
	how.term = config_str(config, OPTION_TERM);
	how.trusted = config_repository_trusted(config);
	o = supervise_again(s, &how, err);
	if (!o)
		goto out;
	json_strv(o, "degraded", &degraded);
	for (size_t i = 0; i < degraded.n; i++)
		output_warn("%s: %s", s->spec.name, degraded.v[i]);
	printf("%s: %s\n", s->spec.name,
	       json_bool(o, "resumed", false) ? "resumed its conversation"
					      : "started afresh");
out:
	strv_finish(&degraded);
	strv_finish(&env);
	buf_finish(&message);
	config_destroy(config);
	cJSON_Delete(o);
	return o ? 0 : -1;
}

static int run_with(const struct args *args, bool resume, struct err *err)
{
	struct session s;
	int rc;

	if (session_find(&s, args->positional[0], err) < 0)
		return -1;
	if (s.alive) {
		/* Where the user wants it to be is where it is. */
		printf("%s: it is %s already\n", s.spec.name,
		       phase_name(s.state.phase));
		rc = 0;
		if (args_has(args, "message") || args_has(args, "file")) {
			rc = err_set(err, ERR_CONFLICT,
				     "'%s' is %s already: the message was not "
				     "sent",
				     s.spec.name, phase_name(s.state.phase));
			err_hint(err, "afw send %s TEXT", s.spec.name);
		}
	} else {
		rc = again(&s, args, resume, err);
	}
	session_finish(&s);
	return rc;
}

static int run_start(const struct args *args, struct err *err)
{
	return run_with(args, false, err);
}

static int run_resume(const struct args *args, struct err *err)
{
	return run_with(args, true, err);
}

const struct command command_start = {
    .name = "start",
    .usage = "NAME",
    .summary = "Start the agent of a stopped session afresh",
    .completes = "session",
    .min_args = 1,
    .max_args = 1,
    .options = start_options,
    .run = run_start,
};

const struct command command_resume = {
    .name = "resume",
    .usage = "NAME",
    .summary = "Start the agent of a session again, with its conversation",
    .completes = "session",
    .min_args = 1,
    .max_args = 1,
    .options = start_options,
    .run = run_resume,
};
