/*
 * check_run.c - runs the check of a candidate: without a terminal, below a
 * guard that ends all that it has started, also if this process is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/env_list.h"
#include "base/file.h"
#include "base/json.h"
#include "base/session_vars.h"
#include "base/spawn.h"
#include "commands/land/scratch.h"
#include "commands/land/halt.h"
#include "commands/launch/session_command.h"
#include "sandbox/sandbox.h"
#include "terminal/guard.h"
#include "terminal/guarded.h"

#define TAIL_MAX  ((size_t)64 * 1024)
#define TAIL_ROOM ((size_t)16 * 1024)
#define POLL_MS	  500 /* a signal that came just before poll is noticed then */

struct run {
	const struct session *s;
	bool at_top;
	struct scratch_result *r;
	cJSON *handle; /* of its sandbox */
	pid_t guard;
	int sock, out; /* -1: closed */
	int hold;      /* closed when the sandbox is ready */
};

/* Returns whether there was something. */
static bool read_output(struct run *run)
{
	struct buf *tail = &run->r->tail;
	ssize_t n = read(run->out, buf_room(tail, TAIL_ROOM), TAIL_ROOM);

	if (n > 0)
		tail->len += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		file_reset(&run->out);
	tail->data[tail->len] = '\0';
	if (tail->len > TAIL_MAX)
		buf_drop(tail, tail->len - TAIL_MAX);
	return n > 0;
}

/* Reads a report; true if the command has ended. */
static bool read_report(struct run *run)
{
	struct scratch_result *r = run->r;
	struct guard_report report;
	ssize_t n = recv(run->sock, &report, sizeof report, MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	if (n != sizeof report) {
		snprintf(r->why, sizeof r->why, "lost its guard");
		return true;
	}
	if (report.event != GUARD_EXITED)
		return false;
	r->passed = report.value == 0;
	if (WIFSIGNALED(report.value))
		snprintf(r->why, sizeof r->why, "was killed by signal %d (%s)",
			 WTERMSIG(report.value),
			 strsignal(WTERMSIG(report.value)));
	else
		snprintf(r->why, sizeof r->why, "exited with code %d",
			 WEXITSTATUS(report.value));
	return true;
}

/* A signal ends it, too. */
static void wait_for(struct run *run, int64_t timeout_ms)
{
	int64_t end = clock_mono_ms() + timeout_ms, left;
	char byte; /* unread, it would reset the connection */
	struct pollfd p[3] = {
	    {.events = POLLIN}, {.events = POLLIN}, {.events = POLLIN}};

	while (!halt_is_set()) {
		left = end - clock_mono_ms();
		p[0].fd = run->sock;
		p[1].fd = run->out;
		p[2].fd = run->hold;
		if (left <= 0) {
			snprintf(run->r->why, sizeof run->r->why,
				 "was not done in time (check_timeout)");
			return;
		}
		if (poll(p, 3, left < POLL_MS ? (int)left : POLL_MS) <= 0)
			continue;
		if (p[2].revents && read(run->hold, &byte, 1) >= 0)
			file_reset(&run->hold);
		if (p[1].revents)
			read_output(run);
		if (p[0].revents && read_report(run))
			return;
	}
}

/* Ends what is left of it; its output ends with its last process. */
static void end(struct run *run)
{
	int status;

	if (run->handle)
		sandbox_stop(&run->s->spec, run->handle, 0, NULL);
	file_reset(&run->hold);
	file_reset(&run->sock);
	while (run->guard > 0 && waitpid(run->guard, &status, 0) < 0 &&
	       errno == EINTR)
		;
	while (run->out >= 0 && read_output(run))
		;
	file_reset(&run->out);
	cJSON_Delete(run->handle);
}

/* Fills argv and env with the command in its sandbox, below the guard. */
static int prepare(struct run *run, int sock, const struct strv *check,
		   struct strv *argv, struct strv *env, int *fd,
		   struct err *err)
{
	const struct session *s = run->s;
	_free_ char *home = file_join(s->dir, "home");
	_strv_ struct strv command = {0}, degraded = {0};
	struct sandbox_start st = {.spec = &s->spec,
				   .dir = s->dir,
				   .home = home,
				   .argv = &command,
				   .env = env,
				   .degraded = &degraded,
				   .fd = fd,
				   .at_top = run->at_top,
				   .piped = true};

	if (sandbox_find(s->spec.sandbox)->holds)
		st.hold = &run->hold;
	session_command_env(s, env);
	env_apply(env, "COLORTERM");
	env_set(env, "TERM", "dumb");
	strv_copy(&command, check);
	session_vars_expand_all(&command, env);
	if (file_private_dir(home, err) < 0 ||
	    sandbox_enter_home(&s->spec, home, NULL, env, err) < 0 ||
	    !(run->handle = sandbox_open(&st, err)))
		return -1;
	guarded_argv(sock, false, *fd > 0 ? (int[]){*fd, 0} : NULL, command.v,
		     argv);
	return 0;
}

static int start(struct run *run, const struct strv *check, struct err *err)
{
	_strv_ struct strv argv = {0}, env = {0};
	_pipe_ int ends[2] = {-1, -1};
	_pipe_ int out[2] = {-1, -1};
	_close_ int fd = -1,
		    dir =
			(run->at_top ? spec_open_worktree
				     : spec_open_directory)(&run->s->spec, err);
	struct spawn sp = {
	    .dir = run->s->spec.worktree, .dir_fd = dir, .new_session = true};
	pid_t pid;

	if (dir < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0 ||
	    pipe2(out, O_CLOEXEC) < 0)
		return err_errno(err, "make a socket");
	if (prepare(run, ends[1], check, &argv, &env, &fd, err) < 0)
		return -1;
	sp.argv = argv.v;
	sp.envp = env.v;
	sp.fd[0] = -1;
	sp.fd[1] = sp.fd[2] = out[1];
	sp.keep[0] = ends[1];
	sp.keep[1] = fd > 0 ? fd : 0;
	run->guard = spawn_start(&sp, err);
	if (run->guard < 0)
		return -1;
	file_reset(&ends[1]);
	file_reset(&out[1]);
	run->sock = TAKE_FD(ends[0]);
	run->out = TAKE_FD(out[0]);
	file_set_nonblock(run->out);
	if (guarded_wait_start(run->sock, &pid) < 0)
		return err_errno(err, "run %.200s", check->v[0]);
	return 0;
}

int check_run(const struct session *s, const struct strv *command, bool at_top,
	      int64_t timeout_ms, struct scratch_result *r, struct err *err)
{
	struct run run = {.s = s,
			  .at_top = at_top,
			  .r = r,
			  .sock = -1,
			  .out = -1,
			  .hold = -1};
	int64_t began = clock_mono_ms();
	int rc = start(&run, command, err);

	if (rc == 0)
		wait_for(&run, timeout_ms);
	end(&run);
	r->ms = clock_mono_ms() - began;
	return rc == 0 && halt_is_set() ? halt_err(err) : rc;
}
