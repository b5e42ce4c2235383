/*
 * worktree_client.c - asks afw-worktree(8) for git work.
 *
 * The child stays in our process group, so that Ctrl-C reaches it; it rolls
 * back and answers, and we wait for that. Its answer is data: it is parsed
 * strictly and one line is bounded. A caller whose time is up closes its end,
 * which makes the child stop.
 */
#include "wire/worktree_client.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/spawn.h"
#include "wire/program.h"
#include "wire/sock.h"

#define MAX_LINE (4 * 1024 * 1024)
#define GRACE_MS 10000 /* for the child to roll back when time is up */
#define POLL_MS	 100   /* a signal that came just before poll is noticed then */

struct call {
	pid_t pid;
	int in, out; /* the child's standard input and output; -1: closed */
	struct buf request, line;
	worktree_client_fn fn;
	void *ctx;
	cJSON *answer;
	worktree_client_confirm_fn confirm; /* or NULL; with ctx */
	int lock; /* for the child to keep open, or -1 */
	const volatile sig_atomic_t *stop; /* or NULL */
	bool keep, done; /* the child takes further requests; has answered */
	bool told;	 /* it was told to stop */
	bool late;
	int64_t end; /* 0: none */
};

/* A child that waits for the next request; pid 0: there is none. */
static struct {
	bool on;
	pid_t pid;
	int in, out;
} kept;

static bool use_kept(struct call *c)
{
	if (!c->keep || !kept.pid)
		return false;
	c->pid = kept.pid;
	c->in = kept.in;
	c->out = kept.out;
	kept.pid = 0;
	if (waitpid(c->pid, NULL, WNOHANG) == 0)
		return true;
	file_reset(&c->in);
	file_reset(&c->out);
	return false;
}

static int start(struct call *c, struct err *err)
{
	_free_ char *program = program_find("afw-worktree");
	_pipe_ int in[2] = {-1, -1}, out[2] = {-1, -1};
	char serve[] = "--serve",
	     *argv[] = {program, c->keep ? serve : NULL, NULL};
	struct spawn sp = {.argv = argv, .fd = {-1, -1, 2}};

	if (use_kept(c))
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) < 0 ||
	    pipe2(out, O_CLOEXEC) < 0)
		return err_errno(err, "start afw-worktree");
	sp.fd[0] = in[0];
	sp.fd[1] = out[1];
	sp.keep[0] = c->lock > 0 ? c->lock : 0;
	c->pid = spawn_start(&sp, err);
	if (c->pid <= 0)
		return -1;
	c->in = TAKE_FD(in[1]);
	c->out = TAKE_FD(out[0]);
	file_set_nonblock(c->in);
	return 0;
}

static void send_request(struct call *c)
{
	ssize_t n = write(c->in, c->request.data, c->request.len);

	if (n > 0)
		buf_drop(&c->request, (size_t)n);
	if ((n < 0 && errno != EAGAIN && errno != EINTR) ||
	    (c->request.len == 0 && !c->confirm && !c->keep))
		file_reset(&c->in);
}

/* Without this newline the child rolls back what it has made. */
static int confirm(struct call *c, const cJSON *line, struct err *err)
{
	int held = -1, rc = c->confirm(c->ctx, line, &held, err);

	if (rc == 0 && sock_send_fd(c->in, "\n", 1, held) != 1)
		rc = err_errno(err, "write to afw-worktree");
	return rc;
}

/* Handles one whole line. Lines after the answer are ignored. */
static int read_line(struct call *c, const char *text, size_t len,
		     struct err *err)
{
	_json_ cJSON *o = NULL;
	int rc = 0;

	if (c->answer)
		return 0;
	o = json_parse_object(text, len, err);
	if (!o)
		return err_prefix(err, "afw-worktree's answer");
	if (c->confirm && json_bool(o, "confirm", false))
		rc = confirm(c, o, err);
	else if (c->fn && !json_get(o, "ok"))
		c->fn(c->ctx, o);
	if (rc < 0 || json_get(o, "ok")) {
		c->done =
		    c->keep && rc == 0 && json_bool(o, "ok", false) && !c->late;
		c->answer = TAKE_PTR(o);
		if (!c->done)
			file_reset(&c->in);
	}
	return rc;
}

static int take_lines(struct call *c, struct err *err)
{
	size_t at = 0;
	char *lf;

	while ((lf = memchr(c->line.data + at, '\n', c->line.len - at))) {
		size_t len = (size_t)(lf - c->line.data) - at;

		if (read_line(c, c->line.data + at, len, err) < 0)
			return -1;
		at += len + 1;
	}
	buf_drop(&c->line, at);
	if (c->line.len > MAX_LINE)
		return err_set(err, ERR_FAILED,
			       "afw-worktree's answer is too long");
	return 0;
}

static int receive(struct call *c, struct err *err)
{
	char *to = buf_room(&c->line, 65536);
	ssize_t n = read(c->out, to, 65536);

	if (n < 0)
		return errno == EINTR ? 0
				      : err_errno(err, "read from "
						       "afw-worktree");
	if (n == 0) {
		file_reset(&c->out);
		return 0;
	}
	c->line.len += (size_t)n;
	c->line.data[c->line.len] = '\0';
	return take_lines(c, err);
}

/* Asks the child to stop when its time is up, and kills it the second time. */
static void stop_or_kill(struct call *c)
{
	kill(c->pid, c->late ? SIGKILL : SIGTERM);
	c->late = true;
	c->end = clock_mono_ms() + GRACE_MS;
}

static int exchange(struct call *c, struct err *err)
{
	while (c->out >= 0 && !c->done) {
		struct pollfd p[2] = {
		    {.fd = c->out, .events = POLLIN},
		    {.fd = c->request.len ? c->in : -1, .events = POLLOUT}};
		int64_t left = c->end ? c->end - clock_mono_ms() : -1;

		if (c->end && left <= 0) {
			stop_or_kill(c);
			continue;
		}
		if (c->stop && *c->stop && !c->told) {
			kill(c->pid, SIGTERM);
			c->told = true;
		}
		if (c->stop && !c->told && (left < 0 || left > POLL_MS))
			left = POLL_MS;
		if (poll(p, 2, left > 60000 ? 60000 : (int)left) <= 0)
			continue;
		if (p[1].fd >= 0 && p[1].revents)
			send_request(c);
		if (p[0].revents && receive(c, err) < 0)
			return -1;
	}
	return 0;
}

/* Waits for a child that has closed its output: it exits at once or hangs. */
static int reap(struct call *c)
{
	const struct timespec tick = {.tv_nsec = 200000};
	int64_t end = clock_mono_ms() + GRACE_MS;
	int status = 0;

	while (waitpid(c->pid, &status, WNOHANG) == 0) {
		if (clock_mono_ms() >= end)
			kill(c->pid, SIGKILL);
		nanosleep(&tick, NULL);
	}
	return status;
}

static int end(struct call *c)
{
	file_reset(&c->in);
	file_reset(&c->out);
	return reap(c);
}

static int keep(struct call *c)
{
	kept.pid = c->pid;
	kept.in = c->in;
	kept.out = c->out;
	return 0;
}

void worktree_client_keep(bool on)
{
	struct call c = {.keep = true};

	kept.on = on;
	if (!on && use_kept(&c))
		end(&c);
}

static int check_answer(struct call *c, int status, int64_t timeout_ms,
			struct err *err)
{
	if (c->late)
		return err_set(err, ERR_TIMEOUT,
			       "the git work was not done after %lld ms",
			       (long long)timeout_ms);
	if (!c->answer && WIFSIGNALED(status))
		return err_set(err, ERR_FAILED,
			       "afw-worktree was killed by signal %d (%s)",
			       WTERMSIG(status), strsignal(WTERMSIG(status)));
	if (!c->answer)
		return err_set(err, ERR_FAILED,
			       "afw-worktree ended without an answer (exit "
			       "code %d)",
			       WIFEXITED(status) ? WEXITSTATUS(status) : -1);
	if (!json_bool(c->answer, "ok", false))
		return json_err(c->answer, err);
	if (c->confirm && status != 0)
		return err_set(err, ERR_FAILED,
			       "afw-worktree did not wait until the worktree "
			       "was recorded");
	return 0;
}

cJSON *worktree_client_run_until(struct worktree_request request,
				 worktree_client_fn fn,
				 worktree_client_confirm_fn confirm_fn,
				 void *ctx, int lock_fd, int64_t timeout_ms,
				 const volatile sig_atomic_t *stop,
				 struct err *err)
{
	struct call c = {
	    .in = -1, .out = -1, .fn = fn, .ctx = ctx, .stop = stop};
	struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
	int r = -1, status;

	c.confirm = confirm_fn;
	c.lock = lock_fd;
	c.keep = kept.on && !confirm_fn && lock_fd < 0 && !stop;
	if (timeout_ms > 0)
		c.end = clock_mono_ms() + timeout_ms;
	worktree_request_print(request, &c.request);
	/* a child that ended early must not kill us by SIGPIPE */
	sigaction(SIGPIPE, &ignore, &before);
	if (start(&c, err) == 0) {
		r = exchange(&c, err);
		status = r == 0 && c.done ? keep(&c) : end(&c);
		if (r == 0)
			r = check_answer(&c, status, timeout_ms, err);
	}
	sigaction(SIGPIPE, &before, NULL);
	buf_finish(&c.request);
	buf_finish(&c.line);
	if (r == 0)
		return c.answer;
	cJSON_Delete(c.answer);
	return NULL;
}

cJSON *worktree_client_run(struct worktree_request request,
			   worktree_client_fn fn, void *ctx, int64_t timeout_ms,
			   struct err *err)
{
	return worktree_client_run_until(request, fn, NULL, ctx, -1, timeout_ms,
					 NULL, err);
}
