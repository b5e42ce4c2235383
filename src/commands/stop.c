/*
 * stop.c - afw stop and suspend: end the harness with all of its processes, and
 * wait until the supervisor has ended too, so that the next command (rm, start)
 * finds the session free.
 *
 * `afw resume --all` resumes sessions whose phase is suspended. A conversation
 * is in state.json from the start on.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/process.h"
#include "commands/beside.h"
#include "commands/cli/option_rows.h"
#include "commands/cli/output.h"
#include "commands/cli/targets.h"
#include "commands/command.h"
#include "commands/stop.h"
#include "sandbox/sandbox.h"
#include "session/disk/lock.h"
#include "session/live/changes.h"
#include "session/live/connection.h"
#include "session/live/processes.h"
#include "session/session.h"
#include "wire/sock.h"

#define KILL_MS 60000 /* for the work after the grace period */

static const struct command_option options[] = {
    OPTION_ROW_STOP_TIMEOUT,
    {.name = "all", .help = "every session that is running"},
    OPTION_ROW_JSON_SESSION,
    {.name = NULL},
};

static const struct command_option suspend_options[] = {
    OPTION_ROW_STOP_TIMEOUT,
    OPTION_ROW_JSON_SESSION,
    {.name = NULL},
};

/* Returns whether another afw has already started it again, with another
 * supervisor than the stopped one. */
static bool is_another(const struct session *s, pid_t stopped)
{
	struct state now;
	bool other;

	if (state_load(&now, s->dir, NULL) < 0)
		return false;
	other = now.supervisor_pid > 0 && stopped > 0 &&
		now.supervisor_pid != stopped;
	state_finish(&now);
	return other;
}

/* Waits until the lock is free. */
static int wait_end(const struct session *s, pid_t stopped, int64_t end,
		    struct err *err)
{
	struct changes *w = changes_create();
	bool other = false, held;

	changes_add(w, s->dir, CHANGES_SHOWN);
	while ((held = lock_is_held(s->dir))) {
		int64_t left = end - clock_mono_ms();

		other = is_another(s, stopped);
		if (left <= 0 || other)
			break;
		changes_wait(w, left);
	}
	changes_destroy(w);
	if (other)
		return err_set(err, ERR_CONFLICT,
			       "stop '%s': it ended, and another afw has "
			       "started it again",
			       s->spec.name);
	if (!held)
		return 0;
	err_set(err, ERR_TIMEOUT,
		"stop '%s': its supervisor (pid %d) is still there",
		s->spec.name, (int)stopped);
	return err_hint(err, "`afw status %s` says what it does", s->spec.name);
}

/* Returns whether it ended by itself in the meantime. */
static bool has_ended(const struct session *s)
{
	struct session now;
	bool alive;

	if (!lock_is_held(s->dir))
		return true;
	if (session_load(&now, s->spec.id, NULL) < 0)
		return false;
	session_wait_settled(&now);
	alive = now.alive;
	session_finish(&now);
	return !alive;
}

/* Ends a process that waits to start the session (bring_up.c); it has no
 * socket. */
static int end_waiting(const struct session *s, int64_t end, struct err *err)
{
	pid_t pid = s->state.supervisor_pid;
	int held = process_open(pid);
	struct session now;
	bool waits;

	if (session_load(&now, s->spec.id, err) < 0) {
		file_close(held);
		return -1;
	}
	/* While it holds the lock, that is its process id. */
	waits = now.alive && now.state.waits && now.state.supervisor_pid == pid;
	if (waits)
		process_signal(held, pid, SIGINT);
	file_close(held);
	session_finish(&now);
	if (waits || !lock_is_held(s->dir))
		return wait_end(s, pid, end, err);
	err_set(err, ERR_CONFLICT, "stop '%s': it is being started",
		s->spec.name);
	return err_hint(err, "try again in a moment");
}

int stop_session(const struct session *s, enum request_id id, int64_t grace_ms,
		 struct err *err)
{
	int64_t grace = grace_ms >= 0 ? grace_ms : s->spec.stop_timeout_ms;
	int64_t end = clock_mono_ms() + grace + KILL_MS;
	struct client *c;
	/* The members of suspend are those of stop. */
	struct request rq = {
	    .id = id,
	    .stop = {.has_timeout_ms = grace_ms >= 0, .timeout_ms = grace_ms}};
	cJSON *reply = NULL;
	struct ucred peer;
	pid_t pid = 0;

	if (s->state.waits)
		return end_waiting(s, end, err);
	c = connect_session(s, err);
	if (!c && err->kind == ERR_NOT_RUNNING && has_ended(s))
		return 0;
	if (!c) {
		/* It has no supervisor yet, or no longer: another process was
		 * faster. */
		if (err->kind == ERR_NOT_RUNNING)
			err->kind = ERR_CONFLICT;
		return -1;
	}
	if (sock_peer_is_same_user(client_fd(c), &peer))
		pid = peer.pid;
	reply = client_request(c, &rq, -1, end - clock_mono_ms(), err);
	client_destroy(c);
	/* It may close the connection before its reply is read: the lock
	 * decides. */
	if (!reply && err->kind != ERR_NOT_RUNNING)
		return err_prefix(err, "%s '%s'", request_name(id),
				  s->spec.name);
	cJSON_Delete(reply);
	return wait_end(s, pid, end, err);
}

/* Ends what a lost supervisor could not end. The session is then no longer one
 * that resume --all starts. */
static int end_lost(const struct session *s, int64_t grace_ms, struct err *err)
{
	int64_t grace = grace_ms >= 0 ? grace_ms : s->spec.stop_timeout_ms;
	int lock = lock_acquire_soon(s->dir, err), found;

	if (lock < 0)
		return err_prefix(err, "stop '%s'", s->spec.name);
	found = sandbox_stop(&s->spec, s->state.sandbox, grace, err);
	/* A user who stops it does not want it resumed with the others. */
	if (found >= 0 && s->lost)
		found = session_record_lost(s, false, err);
	close(lock);
	if (found < 0)
		return err_prefix(err, "stop '%s'", s->spec.name);
	return 0;
}

/* Completes a line that says that s is not running: prints how many messages
 * are queued for its next start, if any, and ends the line. */
static void print_queued(const struct session *s)
{
	int64_t n = s->state.queued;

	if (n > 0)
		printf("; %lld message%s for its next start", (long long)n,
		       n == 1 ? " waits" : "s wait");
	putchar('\n');
}

static void print_stopped(const struct session *s, bool was_alive, bool json)
{
	const struct state *st = &s->state;

	if (json) {
		output_json(session_to_json(s));
		return;
	}
	if (st->phase == PHASE_CREATED)
		printf("%s: was never started", s->spec.name);
	else
		printf("%s: %s%s", s->spec.name,
		       was_alive		  ? ""
		       : st->phase == PHASE_ERROR ? "had already "
						  : "was already ",
		       session_status_word(s));
	if (session_end(st) && st->signal == SIGKILL)
		printf(" (killed)");
	else if (!session_end(st) && st->signal)
		printf(" (signal %d)", st->signal);
	else if (!session_end(st) && st->exit_code >= 0)
		printf(" (exit code %d)", st->exit_code);
	print_queued(s);
}

static int stop_one(struct session *s, const struct args *args, struct err *err)
{
	int64_t grace_ms = args_duration_ms(args, "timeout", -1);
	struct session after;
	int rc = 0;

	session_wait_settled(s);
	if (s->alive)
		rc = stop_session(s, REQUEST_STOP, grace_ms, err);
	else if (!s->broken)
		rc = end_lost(s, grace_ms, err);
	else /* it is unknown whether it is running */
		rc = err_set(err, ERR_FAILED,
			     "stop '%s': its files cannot be read: %s",
			     s->spec.name, s->state.error_reason);
	if (rc == 0)
		beside_end(s);
	if (rc == 0)
		rc = session_load(&after, s->spec.id, err);
	if (rc == 0) {
		print_stopped(&after, s->alive, args_has(args, "json"));
		session_finish(&after);
	}
	return rc;
}

struct stop_all {
	bool json;
	int rc;
	struct err *err;
};

static void end_left(void *ctx, pid_t pid, int pidfd, const char *dir)
{
	struct stop_all *all = ctx;
	struct pollfd p = {.fd = pidfd, .events = POLLIN};
	struct err why = {0};

	(void)dir;
	/* Without a pidfd its end cannot be waited for. */
	if (process_signal(pidfd, pid, SIGTERM) < 0)
		err_errno(&why, "stop process %d", (int)pid);
	else if (pidfd >= 0 && poll(&p, 1, KILL_MS) <= 0)
		err_set(&why, ERR_TIMEOUT, "stop: process %d is still running",
			(int)pid);
	else if (!all->json)
		printf("process %d: stopped\n", (int)pid);
	if (why.kind)
		all->rc = output_one_failed(all->rc, &why, all->err);
}

static int stop_all(const struct args *args, struct err *err)
{
	struct session_list l;
	struct stop_all all = {.json = args_has(args, "json"), .err = err};

	if (session_list_load(&l, err) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		struct err why = {0};

		if ((l.v[i].alive || beside_exists(&l.v[i])) &&
		    stop_one(&l.v[i], args, &why) < 0)
			all.rc = output_one_failed(all.rc, &why, err);
	}
	session_list_finish(&l);
	processes_each_orphan(end_left, &all);
	return all.rc;
}

static int cmd_stop(const struct args *args, struct err *err)
{
	if (!args_has(args, "all"))
		return targets_each(args, stop_one, err);
	if (args->n > 0)
		return err_set(err, ERR_USAGE, "stop: --all takes no name");
	if (process_supervisor(getpid()) > 0)
		return err_set(err, ERR_REFUSED,
			       "stop: --all is not for what runs in a session");
	return stop_all(args, err);
}

const struct command command_stop = {
    .name = "stop",
    .usage = "[NAME... | --all]",
    .completes = "session",
    .summary = "stop the agent and all that it started",
    .max_args = -1,
    .options = options,
    .run = cmd_stop,
};

static int err_not_running(const struct session *s, struct err *err)
{
	const char *why = s->state.error_reason;

	err_set(err, ERR_NOT_RUNNING,
		"suspend '%s': it is not running (%s%s%s)", s->spec.name,
		session_status_word(s), why ? ": " : "", why ? why : "");
	return err_hint(err, "`afw resume %s` starts it", s->spec.name);
}

static int cmd_suspend(struct session *s, const struct args *args,
		       struct err *err)
{
	struct session after;
	int rc = 0;

	session_wait_settled(s);
	if (s->alive && !s->state.waits)
		rc = stop_session(s, REQUEST_SUSPEND,
				  args_duration_ms(args, "timeout", -1), err);
	else if (s->state.phase != PHASE_SUSPENDED)
		rc = err_not_running(s, err);
	if (rc < 0 || session_load(&after, s->spec.id, err) < 0)
		return -1;
	/* It may have ended, or been stopped, just before. */
	if (after.state.phase != PHASE_SUSPENDED) {
		rc = err_set(err, ERR_CONFLICT,
			     "suspend '%s': it was stopped or started "
			     "meanwhile (%s)",
			     s->spec.name, session_status_word(&after));
	} else if (args_has(args, "json")) {
		output_json(session_to_json(&after));
	} else {
		printf("%s: %ssuspended", s->spec.name,
		       s->alive ? "" : "was already ");
		print_queued(&after);
		if (s->alive && !after.state.conversation)
			output_warn("%s: its conversation is not known: it may "
				    "begin a new one",
				    after.spec.name);
	}
	session_finish(&after);
	return rc;
}

const struct command command_suspend = {
    .name = "suspend",
    .usage = "[NAME...]",
    .summary = "end the agent to resume it later",
    .max_args = -1,
    .options = suspend_options,
    .each = cmd_suspend,
};
