/*
 * stop.c - afw stop: ends the harness with all of its processes, and waits
 * until the supervisor is gone too, so that what comes next (rm, start)
 * finds the session free.
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "commands/command.h"
#include "commands/connect.h"
#include "commands/output.h"
#include "commands/stop.h"
#include "commands/watch.h"
#include "session/lock.h"
#include "session/orphans.h"

#define KILL_MS 15000 /* for what comes after the grace period */

static const struct command_option options[] = {
    {.name = "timeout",
     .letter = 't',
     .arg = "TIME",
     .help = "grace before it is killed; default stop_timeout"},
    {.name = "json", .help = "the session as one object a line"},
    {.name = NULL},
};

/* Whether another afw has started it again before we looked. */
static bool is_another(const struct session *s)
{
	struct state now;
	bool other;

	if (state_load(&now, s->dir, NULL) < 0)
		return false;
	other = now.supervisor_pid > 0 && s->state.supervisor_pid > 0 &&
		now.supervisor_pid != s->state.supervisor_pid;
	state_finish(&now);
	return other;
}

/* Waits until the lock is free. */
static int wait_gone(const struct session *s, int64_t end, struct err *err)
{
	struct watch *w = watch_create();
	int64_t left = 0;
	bool other = false;

	watch_add(w, s->dir);
	while (lock_is_held(s->dir)) {
		left = end - clock_mono_ms();
		other = is_another(s);
		if (left <= 0 || other)
			break;
		watch_wait(w, left);
	}
	watch_destroy(w);
	if (other)
		return err_set(err, ERR_CONFLICT,
			       "stop '%s': it ended, and another afw has "
			       "started it again",
			       s->spec.name);
	if (left > 0 || !lock_is_held(s->dir))
		return 0;
	err_set(err, ERR_TIMEOUT,
		"stop '%s': its supervisor (pid %d) is still there",
		s->spec.name, (int)s->state.supervisor_pid);
	return err_hint(err, "`afw status %s` says what it does", s->spec.name);
}

int stop_session(const struct session *s, const char *op, int64_t grace_ms,
		 struct err *err)
{
	int64_t grace = grace_ms >= 0 ? grace_ms : s->spec.stop_timeout_ms;
	int64_t end = clock_mono_ms() + grace + KILL_MS;
	struct client *c;
	cJSON *more = NULL, *reply = NULL;

	c = connect_session(s, err);
	if (!c && err->kind == ERR_NOT_RUNNING && !lock_is_held(s->dir))
		return 0;
	if (!c) {
		/* No supervisor yet, or not any more: somebody is faster. */
		if (err->kind == ERR_NOT_RUNNING)
			err->kind = ERR_CONFLICT;
		return -1;
	}
	if (grace_ms >= 0) {
		more = cJSON_CreateObject();
		json_set_int(more, "timeout_ms", grace_ms);
	}
	reply = connect_ask(c, op, more, end - clock_mono_ms(), err);
	client_destroy(c);
	/* It may hang up before the answer is read: the lock decides. */
	if (!reply && err->kind != ERR_NOT_RUNNING)
		return err_prefix(err, "%s '%s'", op, s->spec.name);
	cJSON_Delete(reply);
	return wait_gone(s, end, err);
}

/* Its supervisor is gone; what that could not end may still be there. */
static int end_orphans(const struct session *s, int64_t grace_ms,
		       struct err *err)
{
	int64_t grace = grace_ms >= 0 ? grace_ms : s->spec.stop_timeout_ms;
	int lock = lock_take(s->dir, err), found;

	if (lock < 0)
		return err_prefix(err, "stop '%s'", s->spec.name);
	found = orphans_end(s->spec.id, grace, err);
	close(lock);
	if (found < 0)
		return err_prefix(err, "stop '%s'", s->spec.name);
	return 0;
}

static void say(const struct session *s, bool was_alive, bool json)
{
	const struct state *st = &s->state;

	if (json) {
		output_json(session_to_json(s));
		return;
	}
	printf("%s: %s%s", s->spec.name, was_alive ? "" : "was already ",
	       phase_name(st->phase));
	if (st->signal)
		printf(" (signal %d)", st->signal);
	else if (st->exit_code >= 0)
		printf(" (exit code %d)", st->exit_code);
	putchar('\n');
}

static int stop_one(const char *name, int64_t grace_ms, bool json,
		    struct err *err)
{
	struct session s, after;
	int rc = 0;

	if (session_find(&s, name, err) < 0)
		return -1;
	if (s.alive)
		rc = stop_session(&s, "stop", grace_ms, err);
	else if (!s.broken)
		rc = end_orphans(&s, grace_ms, err);
	if (rc == 0)
		rc = session_load(&after, s.spec.id, err);
	if (rc == 0) {
		say(&after, s.alive, json);
		session_finish(&after);
	}
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
	/* The others are stopped although one cannot be; the last failure
	 * is main's to print. */
	for (size_t i = 0; i < args->n; i++) {
		struct err why = {0};

		if (stop_one(args->positional[i], grace, json, &why) == 0)
			continue;
		if (rc < 0)
			output_warn("%s", err->what);
		*err = why;
		rc = -1;
	}
	return rc;
}

const struct command command_stop = {
    .name = "stop",
    .usage = "NAME...",
    .summary = "stop the agent and all that it started",
    .completes = "session",
    .min_args = 1,
    .max_args = -1,
    .options = options,
    .run = run,
};
