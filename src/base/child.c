/*
 * child.c - runs child programs on the loop.
 *
 * A child has ended when it is reaped. The rest in its pipes is read then,
 * without waiting for their end: a process that the child left may hold them
 * open. Its input is a file in memory, so it need not be written bit by bit.
 */
#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/tree.h"

#define KILLED_MS                                                              \
	1000 /* the longest time that a killed child may take to end */
#define DRAIN_MAX                                                              \
	(1024 * 1024) /* bytes read from a pipe when its child has ended */

struct output {
	int fd; /* our end of a pipe; -1: closed, or not kept */
	struct loop_io *io;
	struct buf text;
	size_t max;
	bool cut;
	void (*printed)(void *ctx, const struct buf *out); /* or NULL */
	void *ctx;
};

struct child {
	struct child *next;
	struct loop *loop;
	pid_t pid;
	char *program;
	bool group; /* it leads a process group */
	struct output out, errors;
	struct loop_timer *deadline;
	int64_t started_at, deadline_at; /* monotonic ms */
	int64_t term_ms;
	int64_t ran_ms; /* how long it had run when killed */
	bool late, killed;
	child_ended_fn ended; /* or NULL */
	void *ctx;
};

struct children {
	struct loop *loop;
	size_t max;
	struct child *first; /* in the order of their start */
};

/* -- what it prints ------------------------------------------------------- */

static void output_close(struct output *o)
{
	loop_io_remove(o->io);
	o->io = NULL;
	file_reset(&o->fd);
}

/* Reads what is available, at most about limit bytes. */
static void output_read(struct output *o, size_t limit)
{
	char chunk[16384];
	size_t all = 0, room;
	ssize_t n = 0;

	while (o->fd >= 0 && all < limit) {
		n = read(o->fd, chunk, sizeof chunk);
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			output_close(o);
		if (n <= 0)
			return;
		room = o->max - o->text.len;
		o->cut |= (size_t)n > room;
		buf_add(&o->text, chunk, (size_t)n < room ? (size_t)n : room);
		all += (size_t)n;
	}
}

static void on_output(void *ctx, int fd, short revents)
{
	struct output *o = ctx;

	output_read(o, 1);
	if (o->printed)
		o->printed(o->ctx, &o->text);
}

/* Opens a pipe that the child writes to; stores the child's end in *theirs. */
static int output_open(struct output *o, struct loop *loop, size_t max,
		       int *theirs)
{
	int ends[2];

	if (max == 0)
		return 0;
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	o->max = max;
	o->fd = ends[0];
	*theirs = ends[1];
	if (file_set_nonblock(o->fd) < 0)
		return -1;
	o->io = loop_io_add(loop, o->fd, POLLIN, on_output, o);
	return 0;
}

/* -- one child ------------------------------------------------------------ */

static void destroy(struct child *c)
{
	loop_timer_remove(c->deadline);
	output_close(&c->out);
	output_close(&c->errors);
	buf_finish(&c->out.text);
	buf_finish(&c->errors.text);
	free(c->program);
	free(c);
}

int child_signal(const struct child *c, int signo)
{
	return kill(c->group ? -c->pid : c->pid, signo);
}

static void kill_all(struct child *c)
{
	c->killed = true;
	/* Its descendants may lead sessions, too (spawn_run()); a stopped child
	 * starts none during the search. */
	if (c->group && c->term_ms == 0) {
		child_signal(c, SIGSTOP);
		tree_kill(c->pid, NULL, SIGKILL);
	}
	child_signal(c, SIGKILL);
}

static void set_deadline(struct child *c, int64_t ms)
{
	c->deadline_at = clock_mono_ms() + ms;
	loop_timer_set(c->deadline, ms);
}

static void on_deadline(void *ctx)
{
	struct child *c = ctx;
	bool again = c->late;

	if (!again)
		c->ran_ms = clock_mono_ms() - c->started_at;
	c->late = true;
	if (again || c->term_ms == 0) {
		kill_all(c);
		return;
	}
	child_signal(c, SIGTERM);
	set_deadline(c, c->term_ms);
}

void child_hurry(struct child *c, int64_t ms)
{
	if (!c->late && clock_mono_ms() + ms < c->deadline_at)
		set_deadline(c, ms);
}

void child_drop(struct child *c)
{
	if (!c)
		return;
	c->ended = NULL;
	c->out.printed = NULL;
	if (!c->late)
		on_deadline(c);
}

static struct child *new_child(struct children *cs,
			       const struct child_start *st)
{
	struct child *c = mem_alloc(sizeof *c);

	*c = (struct child){
	    .loop = cs->loop,
	    .program = mem_strdup(st->spawn.argv[0]),
	    .group = st->spawn.new_session,
	    .out = {.fd = -1, .printed = st->printed, .ctx = st->ctx},
	    .errors.fd = -1,
	    .deadline_at = INT64_MAX,
	    .term_ms = st->term_ms,
	    .ended = st->ended,
	    .ctx = st->ctx,
	};
	return c;
}

/* Starts it; returns its pid, or -1. */
static pid_t launch(struct child *c, const struct child_start *st,
		    struct err *err)
{
	_close_ int in = -1, out = -1, errors = -1;
	struct spawn sp = st->spawn;

	if (st->input) {
		in = file_in_memory(st->input, strlen(st->input));
		if (in < 0)
			return err_errno(err, "start %s", c->program);
		sp.fd[0] = in;
	}
	if (output_open(&c->out, c->loop, st->keep_out, &out) < 0 ||
	    output_open(&c->errors, c->loop, st->keep_errors, &errors) < 0)
		return err_errno(err, "start %s", c->program);
	if (out >= 0)
		sp.fd[1] = out;
	if (errors >= 0)
		sp.fd[2] = errors;
	return spawn_start(&sp, err);
}

struct child *child_start(struct children *cs, const struct child_start *st,
			  struct err *err)
{
	struct child *c, **at = &cs->first;
	size_t n = 0;

	for (; *at; at = &(*at)->next)
		n++;
	if (n >= cs->max) {
		errno = EAGAIN;
		err_set(err, ERR_LIMIT,
			"start %s: %zu programs are running already",
			st->spawn.argv[0], n);
		return NULL;
	}
	c = new_child(cs, st);
	c->pid = launch(c, st, err);
	if (c->pid < 0) {
		int saved = errno;

		destroy(c);
		errno = saved;
		return NULL;
	}
	*at = c;
	c->started_at = clock_mono_ms();
	c->deadline = loop_timer_add(cs->loop, on_deadline, c);
	if (st->deadline_ms > 0)
		child_hurry(c, st->deadline_ms);
	return c;
}

/* -- all of one owner ------------------------------------------------------ */

struct children *children_create(struct loop *loop, size_t max)
{
	struct children *cs = mem_alloc(sizeof *cs);

	*cs = (struct children){.loop = loop, .max = max};
	return cs;
}

void children_destroy(struct children *cs)
{
	struct child *c;

	if (!cs)
		return;
	while ((c = cs->first)) {
		cs->first = c->next;
		child_drop(c);
		destroy(c);
	}
	free(cs);
}

static void report_end(struct child *c, int status)
{
	struct child_end end = {.program = c->program,
				.status = status,
				.late = c->late,
				.out = &c->out.text,
				.errors = &c->errors.text};
	char how[256];

	output_read(&c->out, DRAIN_MAX);
	output_read(&c->errors, DRAIN_MAX);
	end.cut = c->out.cut || c->errors.cut;
	if (end.late)
		snprintf(how, sizeof how,
			 "%.100s was not done after %lld s and was killed",
			 c->program, (long long)c->ran_ms / 1000);
	else if (WIFSIGNALED(status))
		snprintf(how, sizeof how, "%.100s was killed by signal %d",
			 c->program, WTERMSIG(status));
	else
		snprintf(how, sizeof how, "%.100s exited with code %d",
			 c->program, WEXITSTATUS(status));
	if (end.late || status)
		end.failed = how;
	c->ended(c->ctx, &end);
}

bool children_reaped(struct children *cs, pid_t pid, int status)
{
	for (struct child **at = &cs->first; *at; at = &(*at)->next) {
		struct child *c = *at;

		if (c->pid != pid)
			continue;
		*at = c->next;
		if (c->ended)
			report_end(c, status);
		destroy(c);
		return true;
	}
	return false;
}

void children_reap(struct children *cs)
{
	struct child *c = cs->first;
	int status;

	while (c) {
		pid_t pid = waitpid(c->pid, &status, WNOHANG);

		/* ended() may have changed the list. */
		if (pid > 0 && children_reaped(cs, pid, status))
			c = cs->first;
		else
			c = c->next;
	}
}

void children_pids(const struct children *cs, pid_t *out)
{
	for (const struct child *c = cs->first; c; c = c->next)
		*out++ = c->pid;
	*out = 0;
}

/* Kills the children past their deadline; returns the next deadline, at most
 * end. */
static int64_t next_deadline(struct children *cs, int64_t end)
{
	int64_t now = clock_mono_ms();

	for (struct child *c = cs->first; c; c = c->next) {
		if (!c->killed && now >= c->deadline_at)
			on_deadline(c);
		if (!c->killed && c->deadline_at < end)
			end = c->deadline_at;
	}
	return end;
}

/* Blocks until then, or until a child has ended; false on SIGTERM. */
static bool wait_for_child(int64_t until)
{
	int64_t ms = until - clock_mono_ms();
	struct timespec left = {.tv_sec = ms > 0 ? ms / 1000 : 0,
				.tv_nsec = ms > 0 ? ms % 1000 * 1000000 : 0};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigaddset(&set, SIGTERM);
	return sigtimedwait(&set, NULL, &left) != SIGTERM;
}

void children_wait(struct children *cs)
{
	int64_t end = clock_mono_ms();

	for (struct child *c = cs->first; c; c = c->next)
		if (!c->killed && c->deadline_at != INT64_MAX &&
		    c->deadline_at + c->term_ms > end)
			end = c->deadline_at + c->term_ms;
	end += KILLED_MS;
	for (;;) {
		children_reap(cs);
		if (!cs->first || clock_mono_ms() >= end)
			return;
		if (!wait_for_child(next_deadline(cs, end)))
			for (struct child *c = cs->first; c; c = c->next)
				on_deadline(c);
	}
}
