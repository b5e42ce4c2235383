/*
 * harness_end.c - the end of the harness: its main process is reaped, and every
 * process that it left is ended too. Only then is the session over.
 *
 *     NONE -> TERM_SENT -> HUP_SENT -> KILLING -> ABANDONED
 *                 |            |          |           |
 *                 +------------+----------+-----------+-> OVER
 *
 * begin() leads to TERM_SENT, the time to HUP_SENT and KILLING, GIVE_UP rounds
 * of KILL without a process less to ABANDONED. The end is OVER as soon as the
 * main process has exited, nothing (or only what is abandoned) is left, and the
 * parts' processes and the terminal have ended.
 */
#include "supervisor/harness/harness.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/tree.h"
#include "supervisor/harness/harness_internal.h"
#include "supervisor/part.h"

#define KILL_AGAIN_MS 5
#define GIVE_UP	      1000 /* rounds of KILL without a process less */
#define REAP_MAX      64

/* Returns whether the harness was told to end by an unknown process: perhaps by
 * init, in which case the supervisor's own signal follows (supervisor.c). */
static bool ended_by_signal(const struct harness_end *e)
{
	int st = e->wait_status;

	if (!e->exited || e->why != ENDING_NONE)
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
	const struct harness_end *e = sv->end;
	struct harness_others o;

	if (signo == SIGKILL && harness_terminal(sv) &&
	    sv->backend->kill(harness_terminal(sv)))
		return tree_kill(getpid(), harness_others(sv, true, &o), signo);
	if (signo == SIGKILL)
		return tree_kill_all(getpid(), harness_others(sv, true, &o));
	if (e->lost || e->why == ENDING_DOWN || ended_by_signal(e))
		return tree_kill(getpid(), harness_others(sv, false, &o),
				 signo);
	return tree_stop(getpid(), harness_others(sv, false, &o), signo);
}

static void finish_session(struct supervisor *sv)
{
	char words[512] = "";

	sv->end->state = END_OVER;
	if (sv->harness->pending) {
		harness_report_unstarted(sv);
		return;
	}
	if (!sv->end->alone) {
		harness_drain(sv, 1 << 20);
		harness_end_words(sv, words, sizeof words);
		PARTS(end, sv, words);
		harness_publish_end(sv, words);
		harness_terminal_ended(sv);
		sv->backend->destroy(sv->terminal);
		sv->terminal = NULL;
		sv->pid = 0;
	}
	PARTS(ended, sv, words);
}

static void set_exited(struct harness_end *e, int wait_status)
{
	e->exited = true;
	e->wait_status = wait_status;
}

/* Processes of another user (sudo), or hanging in the kernel, cannot be killed,
 * and a helper may never report an end: gives up waiting for them. */
static void abandon(struct supervisor *sv, int left)
{
	struct harness_end *e = sv->end;

	e->state = END_ABANDONED;
	e->left_behind = left;
	if (left > 0) {
		publish_log("%d processes cannot be killed: left behind", left);
		strv_addf(&sv->state.degraded,
			  "%d of its processes could not be killed", left);
	}
	if (!e->exited) {
		publish_log("its end was not reported");
		set_exited(e, SIGKILL);
	}
}

static enum end_state due_state(const struct harness_end *e, int64_t now)
{
	if (e->state >= END_KILLING)
		return e->state;
	if (now >= e->kill_at)
		return END_KILLING;
	return now >= e->hang_up_at ? END_HUP_SENT : e->state;
}

/* Moves to the state that is due, sends its signal, and returns how many
 * processes are left. */
static int signal_left(struct supervisor *sv, int64_t now)
{
	struct harness_end *e = sv->end;
	enum end_state was = e->state;

	e->state = due_state(e, now);
	if (e->state >= END_KILLING) {
		wake_helpers(sv);
		return signal_tree(sv, SIGKILL);
	}
	e->rounds = 0;
	return e->fewest = signal_tree(sv, e->state == was ? 0 : SIGHUP);
}

/* Counts rounds of KILL; returns true when GIVE_UP of them in succession have
 * not reduced the number of processes. */
static bool is_stuck(struct harness_end *e, int left)
{
	if (left < e->fewest) {
		e->rounds = 0;
		e->fewest = left;
	}
	return ++e->rounds >= GIVE_UP;
}

/* Returns whether nothing is left. When the guard has ended, it had no child
 * left; if it was killed, its children are now the supervisor's. */
static bool is_over(struct supervisor *sv)
{
	struct harness_others o;

	return (!harness_terminal(sv) || !sv->backend->end ||
		sv->backend->end(harness_terminal(sv))) &&
	       (sv->end->state == END_ABANDONED ||
		tree_is_alone(harness_others(sv, true, &o)));
}

/* Returns true if a part's process must end first; when it is reaped, this is
 * asked again. */
static bool parts_are_ending(struct supervisor *sv)
{
	const struct harness_end *e = sv->end;

	if (e->lost || e->why == ENDING_DOWN || ended_by_signal(e))
		return false;
	EACH_PART (p, sv)
		if ((*p)->ending && (*p)->ending(sv, e->kill_at))
			return true;
	return false;
}

static int64_t next_ms(const struct harness_end *e, int64_t now)
{
	if (e->state >= END_KILLING)
		return KILL_AGAIN_MS;
	return (e->state == END_TERM_SENT ? e->hang_up_at : e->kill_at) - now;
}

/* Called until no process is left below the supervisor. */
static void on_ending(void *ctx)
{
	struct supervisor *sv = ctx;
	struct harness_end *e = sv->end;
	int64_t now = clock_mono_ms();
	int left = signal_left(sv, now);

	/* The process that should have reported the end is dead. */
	if (e->lost && !e->exited && left == 0 && kill(sv->pid, 0) < 0)
		set_exited(e, SIGHUP);
	if (e->state == END_KILLING && is_stuck(e, left))
		abandon(sv, left);
	if (!e->exited || (left > 0 && e->state != END_ABANDONED))
		loop_timer_set(e->timer, next_ms(e, now));
	else if (parts_are_ending(sv))
		return;
	else if (is_over(sv))
		finish_session(sv);
	else
		loop_timer_set(e->timer, KILL_AGAIN_MS);
}

/* Sends TERM, unless that was done; HUP half-way, KILL at the time at or
 * earlier. */
static void begin(struct supervisor *sv, int64_t at)
{
	struct harness_end *e = sv->end;
	int64_t now = clock_mono_ms();
	bool begins = e->state == END_NONE;

	if (begins) {
		/* Stopped processes would never see the TERM. */
		wake_helpers(sv);
		signal_tree(sv, SIGCONT);
		signal_tree(sv, SIGTERM);
	}
	if (begins || at < e->kill_at) {
		e->state = END_TERM_SENT;
		e->kill_at = at;
		e->hang_up_at = now + (at - now) / 2;
	}
	/* If everything has ended in the meantime, do not wait. */
	loop_timer_set_earlier(e->timer, e->hang_up_at - now);
}

static bool is_higher(enum ending why, enum ending was)
{
	bool asked = why == ENDING_STOP || why == ENDING_SUSPEND;

	return was == ENDING_NONE ||
	       (asked && (was == ENDING_PARENT || was == ENDING_DOWN));
}

void harness_stop(struct supervisor *sv, enum ending why, int64_t grace_ms)
{
	int64_t now = clock_mono_ms();
	struct harness_end *e = sv->end;

	if (e->state == END_OVER)
		return;
	if (sv->pid <= 0)
		e->alone = e->exited = true;
	if (why == ENDING_PARENT && e->why == ENDING_NONE && !e->began_at)
		e->began_at = now;
	if (is_higher(why, e->why)) {
		e->why = why;
		if ((why == ENDING_STOP || why == ENDING_PARENT) &&
		    sv->state.phase == PHASE_RUNNING)
			publish_phase(sv, PHASE_STOPPING, NULL);
	}
	begin(sv, now + (grace_ms > 0 ? grace_ms : 0));
}

void harness_stop_by_signal(struct supervisor *sv, int signo, bool parent)
{
	int64_t began_at = sv->end->began_at;
	enum ending why = ENDING_DOWN;

	if (parent)
		why = ENDING_PARENT;
	else if (began_at && clock_mono_ms() - began_at > HARNESS_SHUTDOWN_MS)
		why = ENDING_STOP;
	else
		sv->end->down_signal = signo;
	harness_stop(sv, why, sv->spec.stop_timeout_ms);
}

/* Begins the end, if it has not begun; checks now whether it is complete. */
static void check_end(struct supervisor *sv)
{
	struct harness_end *e = sv->end;

	if (e->state == END_OVER || (sv->pid == 0 && !e->alone))
		return;
	/* If it ended by itself, processes that it left get the grace period
	 * too. */
	if (e->state == END_NONE) {
		e->began_at = clock_mono_ms();
		begin(sv, e->began_at + sv->spec.stop_timeout_ms);
	}
	loop_timer_set(e->timer, 0);
}

void harness_on_exited(void *ctx, int wait_status)
{
	struct supervisor *sv = ctx;

	if (sv->end->exited)
		return;
	set_exited(sv->end, wait_status);
	check_end(sv);
}

/* Otherwise the end would wait for half of its time. */
void harness_on_alone(void *ctx)
{
	struct supervisor *sv = ctx;

	if (sv->end->exited)
		check_end(sv);
}

void harness_on_lost(void *ctx, const char *why)
{
	struct supervisor *sv = ctx;

	publish_log("%s", why);
	mem_set(&sv->end->lost, why);
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
		if (pid != sv->pid || sv->end->exited)
			continue;
		set_exited(sv->end, status);
	}
	/* Some trees die as fast as they are reaped: let other events be
	 * handled. */
	if (n > REAP_MAX)
		raise(SIGCHLD);
	if (any && sv->end->exited)
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
	sv->terminal = sv->harness->pending = NULL;
}

static int init(struct supervisor *sv, struct err *err)
{
	sv->end->timer = loop_timer_add(sv->loop, on_ending, sv);
	return 0;
}

static void finish(struct supervisor *sv)
{
	free(sv->end->lost);
}

const struct part end_part = {
    .own = PART_OWN(end),
    .init = init,
    .finish = finish,
};
