/*
 * channel.c - a socket, and what has not been read from or written to it.
 *
 * That nothing can be written any more is no end yet: what the other side said
 * before it went is still there to be read, and its end comes behind it.
 */
#include "wire/channel.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "wire/frame.h"

#define OUT_MAX	   ((size_t)8 * 1024 * 1024)
#define READ_SIZE  65536
#define READS_LAST 256 /* of what is left: a socket holds less */

struct channel {
	struct channel_owner o;
	int fd;
	struct loop_io *io; /* NULL: it was stopped, or has ended */
	struct buf in, out;
	bool deaf;		  /* the other side */
	bool held;		  /* what comes: it is too much, for now */
	struct loop_timer *timer; /* … until then */
};

static void wanted(struct channel *c)
{
	if (c->io)
		loop_io_events(c->io, (short)((c->held ? 0 : POLLIN) |
					      (c->out.len > 0 ? POLLOUT : 0)));
}

void channel_stop(struct channel *c)
{
	loop_io_remove(c->io);
	loop_timer_remove(c->timer);
	c->io = NULL;
	c->timer = NULL;
}

static void end(struct channel *c, const char *why)
{
	if (!c->io)
		return;
	channel_stop(c);
	c->o.ended(c->o.ctx, why);
}

/* Returns how many bytes are left, or were when nobody listened any more. */
static size_t flush(struct channel *c)
{
	ssize_t n = 0;
	size_t left;

	while (c->out.len > 0 &&
	       (n = send(c->fd, c->out.data, c->out.len, MSG_NOSIGNAL)) > 0)
		buf_drop(&c->out, (size_t)n);
	left = c->out.len;
	if (n < 0 && errno != EAGAIN && errno != EINTR) {
		c->deaf = true;
		buf_clear(&c->out);
	}
	wanted(c);
	return left;
}

int channel_say(struct channel *c, const cJSON *o, struct err *err)
{
	size_t was = c->out.len, len, left;

	if (!c->io || c->deaf)
		return err_set(err, ERR_FAILED, "nobody listens any more");
	if (c->out.len > OUT_MAX)
		return err_set(err, ERR_LIMIT, "what is said is not read");
	if (frame_put(&c->out, o, err) < 0)
		return -1;
	len = c->out.len - was;
	left = flush(c);
	if (c->deaf && left >= len)
		return err_set(err, ERR_FAILED, "nobody listens any more");
	return 0;
}

/* False: there is nothing more to be read now. */
static bool read_some(struct channel *c)
{
	ssize_t n = read(c->fd, buf_room(&c->in, READ_SIZE), READ_SIZE);

	if (n > 0)
		c->in.len += (size_t)n;
	else if (n == 0 || (errno != EAGAIN && errno != EINTR))
		end(c, "it ended");
	return n > 0;
}

static void hold(struct channel *c)
{
	int64_t wait = pace_took(&c->o.pace, clock_mono_ms());

	if (wait == 0)
		return;
	c->held = true;
	loop_timer_set(c->timer, wait);
	wanted(c);
}

static void take(struct channel *c, bool all)
{
	struct err err = {0};
	cJSON *o = NULL;
	int rc = 0;

	while (c->io && (all || !c->held) &&
	       (rc = frame_take(&c->in, &o, &err)) == 1) {
		c->o.frame(c->o.ctx, o);
		cJSON_Delete(o);
		if (c->io && !all && c->o.pace.per_second > 0)
			hold(c);
	}
	if (rc < 0)
		end(c, err.what);
}

static void on_timer(void *ctx)
{
	struct channel *c = ctx;

	c->held = false;
	take(c, false);
	wanted(c);
}

static void on_io(void *ctx, int fd, short revents)
{
	struct channel *c = ctx;

	(void)fd;
	if (revents & POLLOUT)
		flush(c);
	if (c->held || !(revents & (POLLIN | POLLHUP | POLLERR)))
		return;
	if (read_some(c))
		take(c, false);
}

void channel_drain(struct channel *c)
{
	take(c, true);
	for (int i = 0; i < READS_LAST && c->io && read_some(c); i++)
		take(c, true);
}

struct channel *channel_create(struct loop *loop, int fd,
			       const struct channel_owner *owner)
{
	struct channel *c = mem_alloc(sizeof *c);

	file_set_nonblock(fd);
	c->o = *owner;
	c->fd = fd;
	c->io = loop_io_add(loop, fd, POLLIN, on_io, c);
	c->timer = loop_timer_add(loop, on_timer, c);
	return c;
}

void channel_destroy(struct channel *c)
{
	if (!c)
		return;
	channel_stop(c);
	buf_finish(&c->in);
	buf_finish(&c->out);
	free(c);
}
