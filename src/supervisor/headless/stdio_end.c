/*
 * stdio_end.c - the end of everything below us, as harness_end.c's: the
 * harness, what it left behind, and the commands beside it.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/tree.h"
#include "supervisor/headless/stdio_internal.h"
#include "terminal/guard.h"

#define KILL_AGAIN_MS 5
#define GIVE_UP	      1000 /* rounds of KILL */
#define REAP_MAX      64

static int tell_all(struct stdio *s, int signo)
{
	pid_t helpers[TERMINAL_HELPERS] = {0};
	struct tree_but but = {.spared = s->inherited, .helpers = helpers};

	if (s->pid)
		guarded_helpers(&s->pipe.guarded, helpers);
	if (signo == SIGKILL && helpers[0])
		kill(helpers[0], SIGCONT);
	if (signo == SIGKILL && !guard_kill(s->pid ? s->pipe.guarded.fd : -1))
		return tree_storm(getpid(), &but);
	return tree_kill(getpid(), &but, signo);
}

static void over(struct stdio *s)
{
	int status = s->wait_status;
	bool killed = WIFSIGNALED(status);
	cJSON *o;

	stdio_agent_drain(s);
	stdio_exec_finish(s);
	if (s->pid) {
		o = stdio_event("agent:exit");
		protocol_set_end(o, status);
		if (s->asked)
			json_set_bool(o, "asked", true);
		stdio_say(s, o);
		s->exit_code =
		    killed ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	}
	stdio_over(s);
}

/* Whoever should have told the harness's end died before, or it cannot be
 * killed. */
static void assume_end(struct stdio *s, int signo)
{
	if (!s->exited)
		s->wait_status = signo;
	s->exited = true;
}

static bool is_over(struct stdio *s)
{
	return (!s->pid || guarded_end(&s->pipe.guarded)) &&
	       tree_is_alone(&(struct tree_but){.spared = s->inherited});
}

static void on_ending(void *ctx)
{
	struct stdio *s = ctx;
	int64_t now = clock_mono_ms();
	bool force = now >= s->kill_at, hang_up = now >= s->hang_up_at;
	int left = tell_all(s, force ? SIGKILL : hang_up ? SIGHUP : 0);
	bool give_up = force && ++s->kill_rounds >= GIVE_UP;

	if (s->over)
		return;
	if (give_up)
		assume_end(s, SIGKILL);
	else if (s->pid && s->pipe.guarded.lost && left == 0 &&
		 kill(s->pid, 0) < 0)
		assume_end(s, SIGHUP);
	if (give_up || ((!s->pid || s->exited) && left == 0 && is_over(s))) {
		over(s);
		return;
	}
	if (hang_up)
		s->hang_up_at = INT64_MAX;
	if (force || left == 0)
		loop_timer_set(s->ending, KILL_AGAIN_MS);
	else
		loop_timer_set(
		    s->ending,
		    (s->hang_up_at < s->kill_at ? s->hang_up_at : s->kill_at) -
			now);
}

void stdio_end(struct stdio *s, int64_t grace_ms)
{
	int64_t now = clock_mono_ms();

	if (s->over)
		return;
	if (!s->ending) {
		s->ending = loop_timer_add(s->loop, on_ending, s);
		s->asked = !s->exited && !s->pipe.guarded.lost;
		/* What is stopped would never see the TERM. */
		tell_all(s, SIGCONT);
		tell_all(s, SIGTERM);
	}
	if (!s->kill_at || now + grace_ms < s->kill_at) {
		s->kill_at = now + grace_ms;
		s->hang_up_at = now + grace_ms / 2;
	}
	loop_timer_set(s->ending, 0);
}

int stdio_stop(struct stdio *s, cJSON *rq, struct err *err)
{
	int64_t grace;

	if (stdio_ms(rq, "timeout_ms", s->stop_timeout_ms, 0, STDIO_GRACE_MAX,
		     &grace, err) < 0)
		return -1;
	stdio_end(s, grace);
	return 0;
}

void stdio_on_exited(void *ctx, int wait_status)
{
	struct stdio *s = ctx;

	if (s->exited)
		return;
	s->exited = true;
	s->wait_status = wait_status;
	stdio_end(s, s->stop_timeout_ms);
}

void stdio_on_lost(void *ctx, const char *why)
{
	struct stdio *s = ctx;
	struct err err;

	err_set(&err, ERR_FAILED, "the agent is lost: %s", why);
	stdio_refuse(s, NULL, &err);
	stdio_end(s, s->stop_timeout_ms);
}

/* Its number is free for another one. */
static void forget(pid_t *list, pid_t pid)
{
	pid_t *to = list;

	for (; *list; list++)
		if (*list != pid)
			*to++ = *list;
	*to = 0;
}

void stdio_reap(struct stdio *s)
{
	int status, n = 0;
	pid_t pid;

	while (n++ < REAP_MAX && (pid = waitpid(-1, &status, WNOHANG)) > 0) {
		if (s->ending && !s->over)
			loop_timer_set(s->ending, 0);
		forget(s->inherited, pid);
		if (stdio_exec_reaped(s, pid, status))
			continue;
		if (s->pid && guarded_reaped(&s->pipe.guarded, pid))
			continue;
		if (pid == s->pid)
			stdio_on_exited(s, status);
	}
	/* Some die as fast as they are reaped: others have their turn. */
	if (n > REAP_MAX)
		raise(SIGCHLD);
}
