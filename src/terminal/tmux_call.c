/*
 * tmux_call.c - calls of tmux: what is typed, and when somebody typed last.
 *
 * tmux exits with 0 where all its commands were done. Where one fails, those
 * behind it are not done, and the last one types: with any other code nothing
 * was typed. Of a client that was killed, or whose server died, nobody knows.
 */
#include "terminal/tmux_call.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/spawn.h"
#include "base/utf8.h"
#include "terminal/tmux_args.h"

#define CALL_MS	  10000
#define SAID_MAX  512
#define WRITE_MAX ((size_t)1024 * 1024) /* bytes of one call */

struct tmux_call {
	const struct tmux_started *s;
	const struct terminal_events *events;
	pid_t pid;
	int errors_fd; /* its standard error, or -1 */
	int answer_fd; /* what it prints, where it asks; -1: it does not */
	bool late;
	char *cannot; /* it could not be started: why; NULL: it was */
	struct loop_timer *timer;
	size_t writing; /* bytes that it writes */
	size_t sent;	/* bytes that are written, not told yet */
};

static void clear(struct tmux_call *c)
{
	loop_timer_stop(c->timer);
	file_reset(&c->errors_fd);
	c->pid = 0;
	c->late = false;
	free(c->cannot);
	c->cannot = NULL;
}

static void tell_typed(struct tmux_call *c)
{
	char answer[128];
	ssize_t n = pread(c->answer_fd, answer, sizeof answer - 1, 0);

	file_reset(&c->answer_fd);
	answer[n > 0 ? n : 0] = '\0';
	c->events->typed(c->events->ctx,
			 tmux_args_typed_ago(answer, clock_wall_ms()));
}

/* why: NULL, all of it was done; maybe: nobody knows. */
static void done(struct tmux_call *c, const char *why, bool maybe)
{
	size_t n = c->writing;

	clear(c);
	c->writing = 0;
	if (!why)
		c->sent += n; /* 0: the call wrote nothing, another may have */
	else
		c->events->failed(c->events->ctx, why, n > 0, maybe);
	if (why && !maybe)
		tmux_start_listens(c->s); /* the next one may do better */
	if (c->answer_fd >= 0)
		tell_typed(c);
	c->events->room(c->events->ctx);
}

static void on_timer(void *ctx)
{
	struct tmux_call *c = ctx;
	char *why = c->cannot;

	if (c->pid > 0) {
		c->late = true;
		kill(c->pid, SIGKILL);
		return;
	}
	c->cannot = NULL;
	done(c, why ? why : "", false);
	free(why);
}

struct tmux_call *tmux_call_create(struct loop *loop,
				   const struct tmux_started *s,
				   const struct terminal_events *events)
{
	struct tmux_call *c = mem_alloc(sizeof *c);

	c->s = s;
	c->events = events;
	c->errors_fd = c->answer_fd = -1;
	c->timer = loop_timer_add(loop, on_timer, c);
	return c;
}

void tmux_call_destroy(struct tmux_call *c)
{
	if (!c)
		return;
	tmux_call_kill(c);
	clear(c);
	file_reset(&c->answer_fd);
	loop_timer_remove(c->timer);
	free(c);
}

/* 0 where a call may be made; -1 with EAGAIN, later; EIO, never again. */
static int ready(const struct tmux_call *c)
{
	errno = c->pid > 0 || c->cannot		 ? EAGAIN
		: !c->s->server || c->s->closing ? EIO
						 : 0;
	return errno ? -1 : 0;
}

/* None runs. in is closed. */
static void start(struct tmux_call *c, struct strv *argv, int in, int out)
{
	struct spawn sp = {.argv = argv->v,
			   .envp = c->s->env.v,
			   .dir = "/",
			   .fd = {in, out, STDERR_FILENO},
			   .new_session = true};
	struct err err = {0};

	c->errors_fd = file_in_memory("", 0);
	if (c->errors_fd >= 0)
		sp.fd[2] = c->errors_fd;
	c->pid = spawn_start(&sp, &err);
	if (c->pid < 0) {
		c->pid = 0;
		c->cannot = mem_strdup(err.what);
	}
	loop_timer_set(c->timer, c->cannot ? 0 : CALL_MS);
	file_close(in);
	strv_finish(argv);
}

int tmux_call_ask_typed(struct tmux_call *c)
{
	struct strv argv = {0};

	if (ready(c) < 0)
		return -1;
	c->answer_fd = file_in_memory("", 0);
	if (c->answer_fd < 0)
		return -1;
	tmux_args_ask_typed(c->s->socket, c->s->pane_id, &argv);
	start(c, &argv, -1, c->answer_fd);
	return 0;
}

/*
 * Bytes count as taken when the call that writes them has ended: until then
 * they are the caller's backlog.
 */
ssize_t tmux_call_write(struct tmux_call *c, const char *data, size_t len)
{
	size_t n = len < WRITE_MAX ? len : WRITE_MAX;
	int in, can = ready(c);
	struct strv argv = {0};

	if (c->sent && (can == 0 || errno == EIO)) {
		n = c->sent;
		c->sent = 0;
		return (ssize_t)n;
	}
	in = can < 0 ? -1 : file_in_memory(data, n);
	if (in < 0)
		return -1;
	tmux_args_write(c->s->socket, c->s->pane_id, c->s->version, &argv);
	start(c, &argv, in, -1);
	c->writing = n;
	errno = EAGAIN;
	return -1;
}

pid_t tmux_call_pid(const struct tmux_call *c)
{
	return c->pid;
}

void tmux_call_kill(struct tmux_call *c)
{
	if (c->pid > 0)
		kill(c->pid, SIGKILL);
}

/* The first line of what it said on standard error. */
static size_t first_line(const struct tmux_call *c, char *out, size_t size)
{
	char raw[SAID_MAX];
	ssize_t n =
	    c->errors_fd < 0 ? -1 : pread(c->errors_fd, raw, sizeof raw - 1, 0);

	raw[n > 0 ? n : 0] = '\0';
	utf8_printable(out, size, raw, strcspn(raw, "\n"));
	return strlen(out);
}

/* True where nobody knows whether it was done; why in words. */
static bool how_it_failed(const struct tmux_call *c, int status, char *why,
			  size_t size)
{
	char said[SAID_MAX];

	if (c->late) {
		snprintf(why, size, "tmux did not answer within %d s",
			 CALL_MS / 1000);
		return true;
	}
	if (WIFSIGNALED(status)) {
		snprintf(why, size, "tmux was killed by signal %d (%s)",
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
		return true;
	}
	if (first_line(c, said, sizeof said) > 0)
		snprintf(why, size, "tmux: %s", said);
	else
		snprintf(why, size, "tmux exited with code %d",
			 WEXITSTATUS(status));
	return strstr(said, "lost server") || strstr(said, "server exited");
}

bool tmux_call_reaped(struct tmux_call *c, pid_t pid, int status)
{
	char why[SAID_MAX + 16];
	bool maybe = false;

	if (c->pid <= 0 || pid != c->pid)
		return false;
	if (status != 0)
		maybe = how_it_failed(c, status, why, sizeof why);
	done(c, status != 0 ? why : NULL, maybe);
	return true;
}
