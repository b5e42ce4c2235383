/*
 * exec_shell.c - runs a named command in a session: its supervisor starts it
 * like a service, so that it survives this command and ends with the session.
 * Its output is stored like a service's, and afw logs prints it.
 */
#include "commands/exec_shell.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/json.h"
#include "commands/launch/session_command.h"
#include "session/live/changes.h"
#include "session/live/connection.h"

#define START_MS 20000
#define KILL_MS	 10000 /* after the grace period */

static const cJSON *find(const struct session *s, const char *name)
{
	const cJSON *o;

	cJSON_ArrayForEach (o, s->state.services)
		if (strcmp(json_str_or(o, "name", ""), name) == 0)
			return o;
	return NULL;
}

bool shell_has_ended(const struct session *s, const char *name)
{
	struct session now;
	const char *state;
	bool ended;

	if (session_load(&now, s->spec.id, NULL) < 0)
		return true;
	state = json_str_or(find(&now, name), "state", "stopped");
	ended = strcmp(state, "exited") == 0 || strcmp(state, "stopped") == 0;
	session_finish(&now);
	return ended;
}

/* Prints its output with afw logs, which finds it among the current
 * services. */
static int print_output(const struct session *s, const char *name, bool follow,
			struct err *err)
{
	char *argv[] = {(char *)"--service", (char *)(size_t)name,
			(char *)"--follow", NULL};
	const struct command *c = command_find("logs");
	struct session now;
	struct args args;
	int rc = session_load(&now, s->spec.id, err);

	if (rc < 0)
		return -1;
	rc = args_parse(&args, c, follow ? 3 : 2, argv, err);
	if (rc == 0)
		rc = c->each(&now, &args, err);
	args_finish(&args);
	session_finish(&now);
	return rc;
}

static int start(struct session *s, const char *name, const struct args *args,
		 struct err *err)
{
	struct request rq = {.id = REQUEST_SHELL, .shell = {.name = name}};
	cJSON *reply;

	for (size_t i = 0; i < args->n_rest; i++)
		strv_add(&rq.shell.argv, args->rest[i]);
	session_command_env(s, &rq.shell.env);
	reply = connect_request(s, &rq, START_MS, err);
	request_finish(&rq);
	if (!reply)
		return err_prefix(err, "exec '%s'", s->spec.name);
	printf("%s: %s runs, pid %lld\n", s->spec.name, name,
	       (long long)json_int(reply, "pid", 0));
	fflush(stdout);
	cJSON_Delete(reply);
	return 0;
}

static int stop_shell(const struct session *s, const char *name,
		      struct err *err)
{
	cJSON *reply;
	int64_t end = clock_mono_ms() + s->spec.stop_timeout_ms + KILL_MS,
		left = 1;
	struct changes *w;
	bool ended;

	reply = connect_request(
	    s, REQUEST_OF(SHELL_STOP, .shell_stop.name = name), START_MS, err);
	if (!reply)
		return err_prefix(err, "exec '%s'", s->spec.name);
	cJSON_Delete(reply);
	w = changes_create();
	changes_add(w, s->dir, CHANGES_WRITTEN);
	while (!(ended = shell_has_ended(s, name)) &&
	       (left = end - clock_mono_ms()) > 0)
		changes_wait(w, left);
	changes_destroy(w);
	if (!ended)
		return err_set(err, ERR_TIMEOUT,
			       "exec '%s': '%s' is still there", s->spec.name,
			       name);
	printf("%s: %s is ended\n", s->spec.name, name);
	return 0;
}

int shell_exec(struct session *s, const struct args *args, struct err *err)
{
	const char *name = args_value(args, "name");
	bool follow = args_has(args, "follow");
	int rc = 0;

	if (args_has(args, "kill") && args->n_rest)
		return err_set(err, ERR_USAGE, "exec: --kill takes no command");
	if (args_has(args, "kill"))
		return stop_shell(s, name, err);
	if (args->n_rest)
		rc = start(s, name, args, err);
	if (rc == 0 && (follow || !args->n_rest))
		rc = print_output(s, name, follow, err);
	return rc;
}
