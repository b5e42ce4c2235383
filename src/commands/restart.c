/*
 * restart.c - afw restart: stop, then start, in one command.
 *
 * Between the two the lock is free for a moment: where somebody else takes
 * the session then, it is theirs, and this one says so (ERR_CONFLICT).
 */
#include "commands/command.h"
#include "commands/start.h"
#include "commands/stop.h"

static const struct command_option options[] = {
    {.name = "resume", .letter = 'r', .help = "go on with its conversation"},
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "grace before it is killed; default stop_timeout"},
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
    {.name = "json", .help = "the session as one object a line"},
    {.name = NULL},
};

static int run(const struct args *args, struct err *err)
{
	struct session s;
	long long grace;
	int rc = 0;

	if (args_duration_ms(args, "timeout", -1, &grace, err) < 0 ||
	    session_find(&s, args->positional[0], err) < 0)
		return -1;
	if (s.alive)
		rc = stop_session(&s, "stop", grace, err);
	if (rc == 0)
		rc = start_session(&s, args, args_has(args, "resume"), err);
	session_finish(&s);
	return rc;
}

const struct command command_restart = {
    .name = "restart",
    .usage = "NAME",
    .summary = "stop the agent and start it afresh",
    .completes = "session",
    .min_args = 1,
    .max_args = 1,
    .options = options,
    .run = run,
};
