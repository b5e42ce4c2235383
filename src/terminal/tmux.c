/*
 * tmux.c - backend tmux: the terminal is a pane of a private tmux server.
 *
 *   supervisor -- tmux server -- afw-guard pane -- the harness
 *
 * The supervisor starts the server; as a subreaper it stays the ancestor of all
 * its processes. The pane's own process gets argv, environment and directory
 * over a socket, so that no secret is in argv or in tmux's environment; it
 * gives the terminal to the harness as a login does, reports its end, and ends
 * the pane when the supervisor closes the socket. The command of pipe-pane
 * passes the end of tmux's pipe to the supervisor and exits: the supervisor
 * reads the pane's output directly, and end of file means that the pane has
 * ended and all output was read.
 *
 * Why not control mode: it would need one more process for each session, tmux
 * would print every byte of output again in octal or still need a pipe, and it
 * cannot load text. A call of tmux is needed only for a message or a key from
 * `afw`; it takes 3 ms, does not block the supervisor, and calls run one at a
 * time, in order. Its text counts as typed only if it exited with 0.
 *
 * The attached clients decide the size. The supervisor reads it (TIOCGWINSZ),
 * and the line discipline, from the pane's terminal, which it keeps open.
 */
#include "terminal/tmux.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "terminal/guarded.h"
#include "terminal/tmux_args.h"
#include "terminal/tmux_call.h"
#include "terminal/tmux_start.h"

#define END_MS	   3000
#define HANG_UP_MS 100	/* for the server's end, after a HUP */
#define GONE_MS	   1000 /* the same, after the pane's end */

struct terminal {
	struct tmux_started s;
	struct loop *loop;
	struct guarded pane;
	struct terminal_events events;
	bool lost;
	int64_t gone_by, kill_at;
	/* An exit by HUP, until it is known whether the server's end caused
	 * it. */
	int hung_up_status;
	struct loop_timer *hang_up_timer;
	struct tmux_call *call;
};

/* -- the end of the pane ----------------------------------------------- */

static void report_lost(struct terminal *t, const char *why)
{
	if (t->lost || t->s.closing)
		return;
	t->lost = true;
	t->events.lost(t->events.ctx, why);
}

static void on_hung_up(void *ctx)
{
	struct terminal *t = ctx;

	t->events.exited(t->events.ctx, t->hung_up_status);
}

static void on_exited(void *ctx, int status)
{
	struct terminal *t = ctx;

	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP) {
		t->hung_up_status = status;
		loop_timer_set(t->hang_up_timer, HANG_UP_MS);
	} else {
		t->events.exited(t->events.ctx, status);
	}
}

static void on_alone(void *ctx)
{
	struct terminal *t = ctx;

	if (t->events.alone)
		t->events.alone(t->events.ctx);
}

static void on_lost(void *ctx, const char *why)
{
	report_lost(ctx, "the process that held its tmux pane was killed");
}

/* -- life ------------------------------------------------------------------ */

static struct terminal *start(const struct terminal_start *st, pid_t *pid,
			      struct err *err)
{
	struct terminal *t = mem_alloc(sizeof *t);

	if (tmux_start(st, &t->s, pid, err) < 0) {
		free(t);
		return NULL;
	}
	t->loop = st->loop;
	t->events = st->events;
	t->call = tmux_call_create(t->loop, &t->s, &t->events);
	t->hang_up_timer = loop_timer_add(t->loop, on_hung_up, t);
	guarded_adopt(&t->pane, t->loop, TAKE_FD(t->s.pane_fd), 0,
		      &(struct terminal_events){.ctx = t,
						.exited = on_exited,
						.alone = on_alone,
						.lost = on_lost});
	return t;
}

static void destroy(struct terminal *t)
{
	if (!t)
		return;
	loop_timer_remove(t->hang_up_timer);
	tmux_call_destroy(t->call);
	guarded_finish(&t->pane);
	tmux_start_undo(&t->s);
	free(t);
}

static void format_exit(char *out, size_t size, int status)
{
	if (WIFSIGNALED(status))
		snprintf(out, size,
			 "its tmux server was killed by signal %d "
			 "(%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(out, size, "its tmux server ended");
}

static bool reaped(struct terminal *t, pid_t pid, int status)
{
	char why[128];

	if (tmux_call_reaped(t->call, pid, status))
		return true;
	if (pid == t->s.pane) { /* our child since the server ended */
		t->s.pane = 0;
		return true;
	}
	if (pid != t->s.server)
		return false;
	t->s.server = 0;
	format_exit(why, sizeof why, status);
	report_lost(t, why);
	return true;
}

/* True if tmux has closed its end of the pipe unasked. */
static bool pane_is_gone(const struct terminal *t)
{
	struct pollfd p = {.fd = t->s.output_fd};

	return poll(&p, 1, 0) > 0 && p.revents & (POLLHUP | POLLERR);
}

static bool end(struct terminal *t)
{
	int64_t now = clock_mono_ms();

	if (!t->s.closing && pane_is_gone(t) && t->s.server) {
		/* The server's end, which follows, will show why. */
		if (!t->gone_by)
			t->gone_by = now + GONE_MS;
		if (now < t->gone_by)
			return false;
		report_lost(t, "its tmux pane was closed");
	}
	if (!t->s.closing) {
		t->s.closing = true;
		t->kill_at = now + END_MS;
		guarded_finish(&t->pane);
		file_reset(&t->s.tty_fd); /* for tmux to read end of file */
	}
	if (t->s.pane > 0 && kill(t->s.pane, 0) < 0 && errno == ESRCH)
		t->s.pane = 0;
	if (now >= t->kill_at) {
		if (t->s.server > 0)
			kill(t->s.server, SIGKILL);
		if (t->s.pane > 0)
			kill(t->s.pane, SIGKILL);
		tmux_call_kill(t->call);
	}
	return !t->s.server && !t->s.pane && !tmux_call_pid(t->call);
}

static bool kill_tree(const struct terminal *t)
{
	return guarded_kill_tree(t->pane.fd);
}

static void helpers(const struct terminal *t, pid_t out[TERMINAL_HELPERS])
{
	const pid_t all[] = {t->s.server, t->s.pane, tmux_call_pid(t->call)};
	size_t n = 0;

	for (size_t i = 0; i < 3; i++)
		if (all[i] > 0)
			out[n++] = all[i];
	out[n] = 0;
}

/* -- what it is --------------------------------------------------------------
 */

static int get_fd(const struct terminal *t)
{
	return t->s.output_fd;
}

static ssize_t read_some(struct terminal *t, char *data, size_t len)
{
	ssize_t n = read(t->s.output_fd, data, len);

	if (n < 0 && errno == EINTR)
		errno = EAGAIN;
	if (n < 0 && errno != EAGAIN)
		return 0; /* the server was killed before it had typed all bytes
			   */
	return n;
}

static ssize_t write_some(struct terminal *t, const char *data, size_t len)
{
	return tmux_call_write(t->call, data, len);
}

static int query_typed(struct terminal *t)
{
	return tmux_call_query_typed(t->call);
}

static int tty(const struct terminal *t, struct terminal_tty *out)
{
	struct termios tio;

	if (tcgetattr(t->s.tty_fd, &tio) < 0)
		return -1;
	out->canonical = tio.c_lflag & ICANON;
	out->echo = tio.c_lflag & ECHO;
	return 0;
}

static int size(const struct terminal *t, int *cols, int *rows)
{
	struct winsize ws;

	if (ioctl(t->s.tty_fd, TIOCGWINSZ, &ws) < 0 || !ws.ws_col || !ws.ws_row)
		return -1;
	*cols = ws.ws_col;
	*rows = ws.ws_row;
	return 0;
}

static int attach(const struct terminal *t, const struct terminal_attach *a,
		  struct strv *argv, struct err *err)
{
	char *key = NULL;

	if (!t->s.server)
		return err_set(err, ERR_NOT_RUNNING,
			       "attach: its tmux server is gone");
	if (!tmux_start_listens(&t->s)) {
		err_set(err, ERR_FAILED,
			"attach: the socket of its tmux server, %s, was gone",
			t->s.socket);
		return err_hint(err, "tmux makes another one: try again");
	}
	if (a->detach_key) {
		key = tmux_args_key(a->detach_key);
		if (!key)
			return err_set(err, ERR_USAGE,
				       "attach: tmux has no key '%.40s'",
				       a->detach_key);
	}
	tmux_args_attach(t->s.socket, key, a, argv);
	free(key);
	return 0;
}

const struct terminal_backend terminal_tmux = {
    .name = "tmux",
    .start = start,
    .destroy = destroy,
    .fd = get_fd,
    .read = read_some,
    .write = write_some,
    .tty = tty,
    .query_typed = query_typed,
    .check = tmux_start_check,
    .term = tmux_start_term,
    .answers_queries = true,
    .size = size,
    .tells_room = true,
    .helpers = helpers,
    .kill = kill_tree,
    .reaped = reaped,
    .end = end,
    .attach = attach,
};
