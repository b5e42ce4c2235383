/*
 * restart.c - afw restart: stop, then start, in one command.
 *
 * Whatever of the start can be refused is refused before the stop: an agent
 * at work is not ended for a file that is not there.
 *
 * Between the two the lock is free for a moment: where somebody else takes
 * the session then, it is theirs, and this one says so (ERR_CONFLICT).
 */
#include "commands/command.h"
#include "commands/option_rows.h"
#include "commands/start.h"
#include "commands/stop.h"

static const struct command_option options[] = {
    {.name = "resume", .letter = 'r', .help = "go on with its conversation"},
    OPTION_ROW_STOP_TIMEOUT,
    OPTION_ROWS_TASK,
    OPTION_ROW_JSON_SESSION,
    {.name = NULL},
};

static int stop(const struct session *s, const struct start *st,
		int64_t grace_ms, struct err *err)
{
	if (limit_look_again(start_limit(st), s->spec.repository, err) < 0)
		return err_prefix(err, "restart '%s'", s->spec.name);
	return stop_session(s, "stop", grace_ms, err);
}

static int restart(struct session *s, const struct args *args, struct err *err)
{
	int64_t grace_ms = args_duration_ms(args, "timeout", -1);
	struct start *st;
	int rc = -1;

	session_settle(s);
	st = start_prepare(s, args, args_has(args, "resume"), err);
	if (st)
		rc = s->alive ? stop(s, st, grace_ms, err) : 0;
	if (rc == 0)
		rc = start_go(st, s, args, err);
	start_destroy(st);
	return rc;
}

const struct command command_restart = {
    .name = "restart",
    .usage = "[NAME]",
    .summary = "stop the agent and start it afresh",
    .completes = "session",
    .max_args = 1,
    .options = options,
    .each = restart,
};
