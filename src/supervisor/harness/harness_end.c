/*
 * harness_end.c - the end of the harness, in two steps.
 *
 * First the main process is reaped. Then every process that it left is ended
 * too: TERM, after the grace period KILL, repeated until no process is left
 * below the supervisor, or until GIVE_UP rounds have not reduced their number.
 * Only then is the session over.
 */
#include "supervisor/harness/harness.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/tree.h"
#include "base/utf8.h"
#include "sandbox/sandbox.h"
#include "supervisor/harness/harness_internal.h"
#include "supervisor/part.h"
#include "wire/protocol.h"

#define KILL_AGAIN_MS 5
#define GIVE_UP	      1000 /* rounds of KILL without a process less */
#define REAP_MAX      64

static const struct sandbox *find_sandbox(const struct supervisor *sv)
{
	return sandbox_find(sv->spec.sandbox);
}

/* Returns whether the harness was told to end by an unknown process: perhaps by
 * init, in which case the supervisor's own signal follows (supervisor.c). */
static bool ended_by_signal(const struct supervisor *sv)
{
	int st = sv->wait_status;

	if (!sv->exited || sv->ending != ENDING_NONE)
		return false;
	if (WIFSIGNALED(st))
		return WTERMSIG(st) == SIGTERM || WTERMSIG(st) == SIGHUP;
	return WEXITSTATUS(st) == 128 + SIGTERM ||
	       WEXITSTATUS(st) == 128 + SIGHUP;
}

/* A helper that must report the end may have been stopped by a process that it
 * guards. */
static void wake_helpers(struct supervisor *sv)
{
	struct harness_others o;

	for (const pid_t *p = harness_others(sv, true, &o)->helpers; *p; p++)
		kill(*p, SIGCONT);
}

/* Signals the tree. Sessions that were started in this one end in the same way:
 * if the machine shuts down or the tmux server was lost, they are lost too;
 * otherwise they are stopped. */
static int signal_tree(struct supervisor *sv, int signo)
{
	struct harness_others o;

	if (signo == SIGKILL && harness_terminal(sv) &&
	    sv->backend->kill(harness_terminal(sv)))
		return tree_kill(getpid(), harness_others(sv, true, &o), signo);
	if (signo == SIGKILL)
		return tree_kill_all(getpid(), harness_others(sv, true, &o));
	if (sv->lost || sv->ending == ENDING_DOWN || ended_by_signal(sv))
		return tree_kill(getpid(), harness_others(sv, false, &o),
				 signo);
	return tree_stop(getpid(), harness_others(sv, false, &o), signo);
}

static bool was_requested(const struct supervisor *sv)
{
	return sv->ending == ENDING_STOP || sv->ending == ENDING_SUSPEND ||
	       sv->ending == ENDING_PARENT;
}

void harness_lost_reason(int signo, char *out, size_t size)
{
	snprintf(out, size, "lost: its supervisor was ended (signal %d)",
		 signo);
}

static void format_reason(struct supervisor *sv, char *out, size_t size)
{
	int st = sv->wait_status;

	if (was_requested(sv))
		snprintf(out, size, "%s%s",
			 sv->ending == ENDING_SUSPEND ? "suspended" : "stopped",
			 WIFSIGNALED(st) && WTERMSIG(st) == SIGKILL
			     ? " (killed)"
			     : "");
	else if (sv->lost)
		snprintf(out, size, "lost: %s", sv->lost);
	else if (sv->ending == ENDING_DOWN)
		harness_lost_reason(sv->down_signal, out, size);
	else if (WIFSIGNALED(st))
		snprintf(out, size, "%s was killed by signal %d (%s)",
			 adapter_display_name(sv->adapter, &sv->spec),
			 WTERMSIG(st), strsignal(WTERMSIG(st)));
	else
		snprintf(out, size, "%s exited with code %d",
			 adapter_display_name(sv->adapter, &sv->spec),
			 WEXITSTATUS(st));
}

/* Appends what the sandbox knows about the end. */
static void add_sandbox_reason(struct supervisor *sv, char *words, size_t size)
{
	const struct sandbox *tier = find_sandbox(sv);
	size_t len = strlen(words);
	int st = sv->wait_status;
	char *more;

	if (!tier || !tier->ended || !sv->state.sandbox)
		return;
	more = tier->ended(sv->state.sandbox,
			   WIFEXITED(st) ? WEXITSTATUS(st) : -1);
	if (more && !was_requested(sv))
		snprintf(words + len, size - len, ": %s", more);
	free(more);
}

/* The harness ended before its sandbox let it start; its output is the
 * sandbox's error. */
static void report_failed_start(struct supervisor *sv)
{
	char text[4096], words[512], last[300];
	size_t len, room = sizeof text;
	ssize_t n;

	/* A terminal may give a line at a time. */
	while (room > 0 &&
	       (n = sv->backend->read(sv->pending_terminal,
				      text + sizeof text - room, room)) > 0)
		room -= (size_t)n;
	format_reason(sv, words, sizeof words);
	add_sandbox_reason(sv, words, sizeof words);
	len = strlen(words);
	utf8_last_line(last, sizeof last, text, sizeof text - room);
	if (last[0])
		snprintf(words + len, sizeof words - len, ": %s", last);
	sv->backend->destroy(sv->pending_terminal);
	sv->pending_terminal = NULL;
	sv->pid = 0;
	PARTS(unstarted, sv, words); /* may watch it */
	file_reset(&sv->release_fd);
}

static void finish_session(struct supervisor *sv)
{
	struct state *state = &sv->state;
	bool down = sv->ending == ENDING_DOWN;
	bool bad = sv->wait_status != 0 || sv->lost || down;
	char words[512];
	cJSON *o;

	if (sv->starting) {
		report_failed_start(sv);
		return;
	}
	if (sv->alone) {
		sv->alone = false;
		PARTS(ended, sv, "");
		return;
	}
	harness_drain(sv, 1 << 20);
	format_reason(sv, words, sizeof words);
	add_sandbox_reason(sv, words, sizeof words);
	PARTS(end, sv, words);
	state->pid = 0;
	state->ended_at = clock_wall_ms();
	if (WIFSIGNALED(sv->wait_status))
		state->signal = WTERMSIG(sv->wait_status);
	else
		state->exit_code = WEXITSTATUS(sv->wait_status);
	o = cJSON_CreateObject();
	protocol_set_end(o, sv->wait_status);
	if (was_requested(sv))
		json_set_bool(o, "asked", true);
	publish_event(sv, "agent:exit", o);
	state->supervisor_pid = 0;
	if (state->phase == PHASE_STOPPING) {
		publish_phase(sv, PHASE_STOPPED, words);
	} else if (sv->ending == ENDING_SUSPEND) {
		publish_phase(sv, PHASE_SUSPENDED, words);
	} else if (bad) {
		state->lost = sv->lost || down;
		publish_phase(sv, PHASE_ERROR, words);
	} else {
		publish_phase(sv, PHASE_STOPPING, words);
		publish_phase(sv, PHASE_STOPPED, words);
	}
	harness_terminal_ended(sv);
	sv->backend->destroy(sv->terminal);
	sv->terminal = NULL;
	sv->pid = 0;
	PARTS(ended, sv, words);
}

/* Processes of another user (sudo), or hanging in the kernel, cannot be killed,
 * and a helper may never report an end: gives up waiting for them. */
static void abandon_survivors(struct supervisor *sv, int left)
{
	if (sv->gave_up)
		return;
	sv->gave_up = true;
	sv->left_behind = left;
	if (left > 0) {
		publish_log("%d processes cannot be killed: left behind", left);
		strv_addf(&sv->state.degraded,
			  "%d of its processes could not be killed", left);
	}
	if (!sv->exited) {
		publish_log("its end was not reported");
		sv->exited = true;
		sv->wait_status = SIGKILL;
	}
}

/* Returns whether nothing is left. When the guard has ended, it had no child
 * left; if it was killed, its children are now the supervisor's. */
static bool is_over(struct supervisor *sv)
{
	struct harness_others o;

	return (!harness_terminal(sv) || !sv->backend->end ||
		sv->backend->end(harness_terminal(sv))) &&
	       (sv->gave_up || tree_is_alone(harness_others(sv, true, &o)));
}

static bool parts_are_ending(struct supervisor *sv)
{
	EACH_PART (p, sv)
		if ((*p)->ending && (*p)->ending(sv, sv->kill_at))
			return true;
	return false;
}

/*
 * Called until no process is left below the supervisor. Half-way to the KILL,
 * those that ignore TERM get a HUP: interactive shells do, but end when their
 * terminal closes.
 */
static void on_ending(void *ctx)
{
	struct supervisor *sv = ctx;
	int64_t now = clock_mono_ms();
	bool force = now >= sv->kill_at, hang_up = now >= sv->hang_up_at;
	int left;

	if (force)
		wake_helpers(sv);
	left = signal_tree(sv, force ? SIGKILL : hang_up ? SIGHUP : 0);

	/* The process that should have reported the end is dead. */
	if (sv->lost && !sv->exited && left == 0 && kill(sv->pid, 0) < 0) {
		sv->exited = true;
		sv->wait_status = SIGHUP;
	}
	if (!force || left < sv->kill_left) {
		sv->kill_rounds = 0;
		sv->kill_left = left;
	}
	if (force && ++sv->kill_rounds >= GIVE_UP) {
		abandon_survivors(sv, left);
		left = 0;
	}
	if (sv->exited && left == 0) {
		if (!sv->lost && sv->ending != ENDING_DOWN &&
		    !ended_by_signal(sv) && parts_are_ending(sv))
			return;
		if (is_over(sv))
			finish_session(sv);
		else
			loop_timer_set(sv->ending_timer, KILL_AGAIN_MS);
		return;
	}
	if (hang_up)
		sv->hang_up_at = INT64_MAX;
	if (force)
		loop_timer_set(sv->ending_timer, KILL_AGAIN_MS);
	else
		loop_timer_set(sv->ending_timer, sv->hang_up_at < sv->kill_at
						     ? sv->hang_up_at - now
						     : sv->kill_at - now);
}

/* Sends TERM now, HUP half-way, KILL at the time at. */
static void set_deadline(struct supervisor *sv, int64_t at)
{
	int64_t now = clock_mono_ms();

	if (!sv->ending_timer)
		sv->ending_timer = loop_timer_add(sv->loop, on_ending, sv);
	if (!sv->kill_at) {
		/* Stopped processes would never see the TERM. */
		wake_helpers(sv);
		signal_tree(sv, SIGCONT);
		signal_tree(sv, SIGTERM);
	}
	if (!sv->kill_at || at < sv->kill_at) {
		sv->kill_at = at;
		sv->hang_up_at = now + (at - now) / 2;
	}
	/* If everything has ended in the meantime, do not wait. */
	loop_timer_set_earlier(sv->ending_timer, sv->hang_up_at - now);
}

static bool is_higher(enum ending why, enum ending was)
{
	bool asked = why == ENDING_STOP || why == ENDING_SUSPEND;

	return was == ENDING_NONE ||
	       (asked && (was == ENDING_PARENT || was == ENDING_DOWN));
}

void harness_stop(struct supervisor *sv, enum ending why, int64_t grace_ms)
{
	int64_t at = clock_mono_ms() + (grace_ms > 0 ? grace_ms : 0);

	if (sv->pid <= 0 && !sv->alone)
		return;
	sv->exited |= sv->alone;
	if (why == ENDING_PARENT && sv->ending == ENDING_NONE &&
	    !sv->end_began_at)
		sv->end_began_at = clock_mono_ms();
	if (is_higher(why, sv->ending)) {
		sv->ending = why;
		if ((why == ENDING_STOP || why == ENDING_PARENT) &&
		    sv->state.phase == PHASE_RUNNING)
			publish_phase(sv, PHASE_STOPPING, NULL);
	}
	set_deadline(sv, at);
}

/* Begins the end, if it has not begun; checks now whether it is complete. */
static void check_end(struct supervisor *sv)
{
	if (sv->pid == 0 && !sv->alone)
		return;
	/* If it ended by itself, processes that it left get the grace period
	 * too. */
	if (sv->kill_at == 0) {
		sv->end_began_at = clock_mono_ms();
		set_deadline(sv, sv->end_began_at + sv->spec.stop_timeout_ms);
	}
	loop_timer_set(sv->ending_timer, 0);
}

void harness_on_exited(void *ctx, int wait_status)
{
	struct supervisor *sv = ctx;

	if (sv->exited)
		return;
	sv->exited = true;
	sv->wait_status = wait_status;
	check_end(sv);
}

/* Otherwise the end would wait for half of its time. */
void harness_on_alone(void *ctx)
{
	struct supervisor *sv = ctx;

	if (sv->exited)
		check_end(sv);
}

void harness_on_lost(void *ctx, const char *why)
{
	struct supervisor *sv = ctx;

	publish_log("%s", why);
	mem_set(&sv->lost, why);
	check_end(sv);
}

static bool part_reaped(struct supervisor *sv, pid_t pid, int status)
{
	EACH_PART (p, sv)
		if ((*p)->reaped && (*p)->reaped(sv, pid, status))
			return true;
	return false;
}

void harness_reap(struct supervisor *sv)
{
	bool any = false;
	int status, n = 0;
	pid_t pid;

	while (n++ < REAP_MAX && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
		any = true; /* the end may also wait for a part's process */
		if (children_reaped(sv->children, pid, status) ||
		    part_reaped(sv, pid, status))
			continue;
		if (harness_terminal(sv) && sv->backend->reaped &&
		    sv->backend->reaped(harness_terminal(sv), pid, status))
			continue;
		if (pid != sv->pid || sv->exited)
			continue;
		sv->exited = true;
		sv->wait_status = status;
	}
	/* Some trees die as fast as they are reaped: let other events be
	 * handled. */
	if (n > REAP_MAX)
		raise(SIGCHLD);
	if (any && sv->exited)
		check_end(sv);
}

void harness_finish(struct supervisor *sv)
{
	int64_t end = clock_mono_ms() + 2000;

	while (sv->pid > 0 && clock_mono_ms() < end &&
	       tree_kill_all(getpid(), NULL) > 0) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		poll(NULL, 0, 5);
	}
	if (harness_terminal(sv))
		sv->backend->destroy(harness_terminal(sv));
	sv->terminal = sv->pending_terminal = NULL;
}
