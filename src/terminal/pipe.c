/* pipe.c - backend pipe: a harness on three pipes. */
#include "terminal/pipe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "terminal/guarded.h"

struct terminal {
	struct guarded guarded; /* first: guarded.h */
	int fd[3];		/* our ends, nonblocking; -1: closed */
	struct loop_io *in_io;	/* of fd[0] */
	struct terminal_events events;
};

static void close_input(struct terminal *t)
{
	loop_io_remove(t->in_io);
	t->in_io = NULL;
	file_reset(&t->fd[0]);
}

/* Its input has room, or its other end is closed. */
static void on_room(void *ctx, int fd, short revents)
{
	struct terminal *t = ctx;

	if (revents & POLLERR) {
		close_input(t);
		t->events.failed(t->events.ctx,
				 "the agent has closed its standard input",
				 true, false);
		return;
	}
	loop_io_events(t->in_io, 0);
	t->events.room(t->events.ctx);
}

static void destroy(struct terminal *t)
{
	if (!t)
		return;
	guarded_finish(&t->guarded);
	close_input(t);
	file_reset(&t->fd[1]);
	file_reset(&t->fd[2]);
	free(t);
}

/* Makes our end and the harness's end of its descriptor i. */
static int make_pipe(int i, int *ours, int *theirs)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	*ours = ends[i == 0];
	*theirs = ends[i != 0];
	return file_set_nonblock(*ours);
}

static struct terminal *start(const struct terminal_start *st, pid_t *pid,
			      struct err *err)
{
	struct terminal *t = mem_alloc(sizeof *t);
	int theirs[3] = {-1, -1, -1}, rc = 0;

	*t = (struct terminal){
	    .guarded.fd = -1, .fd = {-1, -1, -1}, .events = st->events};
	for (int i = 0; i < 3 && rc == 0; i++)
		rc = make_pipe(i, &t->fd[i], &theirs[i]);
	if (rc < 0)
		err_errno(err, "make a pipe");
	else
		rc = guarded_start(&t->guarded, st, theirs, false, pid, err);
	for (int i = 0; i < 3; i++)
		file_close(theirs[i]);
	if (rc < 0) {
		destroy(t);
		return NULL;
	}
	t->in_io = loop_io_add(st->loop, t->fd[0], 0, on_room, t);
	return t;
}

static int get_fd(const struct terminal *t)
{
	return t->fd[1];
}

static int get_errors(const struct terminal *t)
{
	return t->fd[2];
}

static ssize_t read_some(struct terminal *t, char *data, size_t len)
{
	ssize_t n = read(t->fd[1], data, len);

	if (n < 0 && errno == EINTR)
		errno = EAGAIN;
	return n;
}

/* on_room() reports a failure, too. */
static ssize_t write_some(struct terminal *t, const char *data, size_t len)
{
	ssize_t n = t->in_io ? write(t->fd[0], data, len) : -1;

	if (n < 0 && t->in_io) {
		loop_io_events(t->in_io, POLLOUT);
		errno = EAGAIN;
	}
	return n;
}

const struct terminal_backend terminal_pipe = {
    .name = "pipe",
    .start = start,
    .destroy = destroy,
    .fd = get_fd,
    .read = read_some,
    .write = write_some,
    .tells_room = true,
    .errors = get_errors,
    .close_input = close_input,
    .helpers = guarded_helpers,
    .kill = guarded_kill,
    .reaped = guarded_reaped,
    .end = guarded_end,
};
