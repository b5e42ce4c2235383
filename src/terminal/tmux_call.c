/*
 * tmux_call.c - runs calls of tmux: they type, or ask when a user last typed.
 *
 * tmux exits with 0 if all its commands were done. If one fails, the following
 * ones are not done, and the last one types: with any other code nothing was
 * typed. If the client was killed, or its server ended, the result is unknown.
 */
#include "terminal/tmux_call.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/cleanup.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "terminal/tmux_args.h"

#define CALL_MS	   10000
#define SAID_MAX   512
#define ANSWER_MAX 128
#define WRITE_MAX  ((size_t)1024 * 1024) /* bytes of one call */

struct tmux_call {
	const struct tmux_started *s;
	const struct terminal_events *events;
	struct children *children; /* one at a time */
	struct child *child;	   /* the running call; NULL: none */
	bool asks;		   /* it prints an answer */
	char *cannot;		   /* why it could not be started, or NULL */
	struct loop_timer *timer;
	size_t writing; /* bytes that it writes */
	size_t sent;	/* bytes that are written, not reported yet */
};

static void tell_typed(struct tmux_call *c, const struct child_end *end)
{
	const char *answer = end && end->out->len ? end->out->data : "";

	c->asks = false;
	c->events->typed(c->events->ctx,
			 tmux_args_typed_ago(answer, clock_wall_ms()));
}

/* Ends a call. why NULL: all of it was done; maybe: unknown. end NULL: it was
 * not started. */
static void done(struct tmux_call *c, const struct child_end *end,
		 const char *why, bool maybe)
{
	size_t n = c->writing;

	c->child = NULL;
	c->writing = 0;
	if (!why)
		c->sent += n; /* 0 if this call wrote nothing; an earlier one
				 may have */
	else
		c->events->failed(c->events->ctx, why, n > 0, maybe);
	if (why && !maybe)
		tmux_start_listens(c->s); /* the next one may succeed */
	if (c->asks)
		tell_typed(c, end);
	c->events->room(c->events->ctx);
}

/* Returns the first line of its standard error. */
static size_t first_line(const struct child_end *end, char *out, size_t size)
{
	const char *said = end->errors->len ? end->errors->data : "";

	utf8_printable(out, size, said, strcspn(said, "\n"));
	return strlen(out);
}

/* True if it is unknown whether it was done; why in words. */
static bool how_it_failed(const struct child_end *end, char *why, size_t size)
{
	char said[SAID_MAX];

	if (end->late) {
		snprintf(why, size, "tmux did not answer within %d s",
			 CALL_MS / 1000);
		return true;
	}
	if (WIFSIGNALED(end->status)) {
		snprintf(why, size, "tmux was killed by signal %d (%s)",
			 WTERMSIG(end->status),
			 strsignal(WTERMSIG(end->status)));
		return true;
	}
	if (first_line(end, said, sizeof said) > 0)
		snprintf(why, size, "tmux: %s", said);
	else
		snprintf(why, size, "tmux exited with code %d",
			 WEXITSTATUS(end->status));
	return strstr(said, "lost server") || strstr(said, "server exited");
}

static void on_ended(void *ctx, const struct child_end *end)
{
	char why[SAID_MAX + 16];
	bool maybe = end->status && how_it_failed(end, why, sizeof why);

	done(ctx, end, end->status ? why : NULL, maybe);
}

static void on_timer(void *ctx)
{
	struct tmux_call *c = ctx;
	_free_ char *why = TAKE_PTR(c->cannot);

	done(c, NULL, why, false);
}

struct tmux_call *tmux_call_create(struct loop *loop,
				   const struct tmux_started *s,
				   const struct terminal_events *events)
{
	struct tmux_call *c = mem_alloc(sizeof *c);

	c->s = s;
	c->events = events;
	c->children = children_create(loop, 1);
	c->timer = loop_timer_add(loop, on_timer, c);
	return c;
}

void tmux_call_destroy(struct tmux_call *c)
{
	if (!c)
		return;
	children_destroy(c->children);
	free(c->cannot);
	loop_timer_remove(c->timer);
	free(c);
}

/* Returns 0 if a call may be made; -1 with EAGAIN: later; EIO: never again. */
static int ready(const struct tmux_call *c)
{
	errno = c->child || c->cannot		 ? EAGAIN
		: !c->s->server || c->s->closing ? EIO
						 : 0;
	return errno ? -1 : 0;
}

/* Starts a call; none may be running. Closes in. */
static void start(struct tmux_call *c, struct strv *argv, int in)
{
	struct child_start st = {
	    .spawn = {.argv = argv->v,
		      .envp = c->s->env.v,
		      .dir = "/",
		      .fd = {in, -1, -1},
		      .new_session = true},
	    .keep_out = c->asks ? ANSWER_MAX : 0,
	    .keep_errors = SAID_MAX,
	    .deadline_ms = CALL_MS,
	    .ended = on_ended,
	    .ctx = c,
	};
	struct err err = {0};

	c->child = child_start(c->children, &st, &err);
	if (!c->child) {
		c->cannot = mem_strdup(err.what);
		loop_timer_set(c->timer, 0);
	}
	file_close(in);
	strv_finish(argv);
}

int tmux_call_query_typed(struct tmux_call *c)
{
	struct strv argv = {0};

	if (ready(c) < 0)
		return -1;
	c->asks = true;
	tmux_args_query_typed(c->s->socket, c->s->pane_id, &argv);
	start(c, &argv, -1);
	return 0;
}

/*
 * Bytes count as accepted when the call that writes them has ended: until then
 * the caller keeps them.
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
	c->writing = n;
	start(c, &argv, in);
	errno = EAGAIN;
	return -1;
}

pid_t tmux_call_pid(const struct tmux_call *c)
{
	pid_t pids[2];

	children_pids(c->children, pids);
	return pids[0];
}

void tmux_call_kill(struct tmux_call *c)
{
	if (c->child)
		child_signal(c->child, SIGKILL);
}

bool tmux_call_reaped(struct tmux_call *c, pid_t pid, int status)
{
	return children_reaped(c->children, pid, status);
}
