/* json_lines.c - JSON objects as lines, on descriptors 0 and 1. */
#include "supervisor/headless/json_lines.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"

#define CHUNK	    16384
#define FAREWELL_MS 10000 /* limit for a reader that takes nothing */

static void read_lines(struct json_lines *l);

/* -- output ---------------------------------------------------------------- */

static size_t pending_bytes(const struct json_lines *l)
{
	return l->out.len - l->out_at;
}

bool json_lines_are_full(const struct json_lines *l)
{
	return pending_bytes(l) >= JSON_LINES_OUT_MAX;
}

bool json_lines_are_done(const struct json_lines *l)
{
	return l->closing && (l->late || !pending_bytes(l));
}

/* Sets which descriptors are polled. */
static void update_flow(struct json_lines *l)
{
	short out = pending_bytes(l) ? POLLERR | POLLOUT : POLLERR;

	if (l->out_io)
		loop_io_events(l->out_io, l->reader_gone ? 0 : out);
	if (l->in_io)
		loop_io_events(l->in_io,
			       json_lines_are_full(l) ? POLLHUP : POLLIN);
	l->flow(l->ctx);
}

static void drop_reader(struct json_lines *l)
{
	l->reader_gone = true;
	buf_clear(&l->out);
	l->out_at = 0;
	update_flow(l);
	l->hung_up(l->ctx);
}

static void on_out(void *ctx, int fd, short revents)
{
	struct json_lines *l = ctx;
	size_t len = pending_bytes(l) < PIPE_BUF ? pending_bytes(l) : PIPE_BUF;
	bool gone = revents & (POLLERR | POLLHUP);
	/* PIPE_BUF bytes never block if there is room at all. The descriptor is
	 * shared, so it must not be made non-blocking. */
	ssize_t n = gone ? -1 : write(fd, l->out.data + l->out_at, len);

	if (n < 0 && !gone && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		drop_reader(l);
		return;
	}
	l->out_at += (size_t)n;
	if (!pending_bytes(l) || l->out_at >= JSON_LINES_OUT_MAX) {
		buf_drop(&l->out, l->out_at);
		l->out_at = 0;
	}
	if (l->closing)
		loop_timer_set(l->farewell, FAREWELL_MS);
	update_flow(l);
	read_lines(l);
}

static void on_farewell(void *ctx)
{
	struct json_lines *l = ctx;

	l->late = true;
}

void json_lines_write(struct json_lines *l, const cJSON *o)
{
	if (l->reader_gone)
		return;
	json_print(o, &l->out);
	buf_addc(&l->out, '\n');
	/* A file takes everything at once, and cannot be polled. */
	if (!l->out_io) {
		int rc = file_write_all(1, l->out.data, l->out.len);

		buf_clear(&l->out);
		if (rc < 0)
			drop_reader(l);
		return;
	}
	update_flow(l);
}

void json_lines_close(struct json_lines *l)
{
	l->closing = true;
	loop_timer_set(l->farewell, FAREWELL_MS);
	update_flow(l);
}

/* -- input ----------------------------------------------------------------- */

/* Parses a line and wipes it: it may have secrets, and forked children inherit
 * the memory. */
static cJSON *parse_line(struct json_lines *l, size_t len, struct err *err)
{
	cJSON *o = NULL;

	if (l->too_long || len > JSON_LINES_IN_MAX)
		err_set(err, ERR_LIMIT, "a line of more than %zu bytes",
			JSON_LINES_IN_MAX);
	else
		o = json_parse_object(l->in.data, len, err);
	buf_drop(&l->in, len + 1);
	explicit_bzero(l->in.data + l->in.len, len + 1);
	l->too_long = false;
	return o;
}

/* Handles the lines in l->in, while there is room for the output that they
 * cause. */
static void read_lines(struct json_lines *l)
{
	const char *end;

	while (!json_lines_are_full(l) && !l->closing && l->in.len &&
	       (end = memchr(l->in.data, '\n', l->in.len))) {
		struct err err = {0};
		_json_ cJSON *o =
		    parse_line(l, (size_t)(end - l->in.data), &err);

		l->taken(l->ctx, o, &err);
	}
	/* Drops the start of a line that is too long; the error is reported at
	 * its end. */
	if (l->in.len > JSON_LINES_IN_MAX) {
		l->too_long = true;
		explicit_bzero(l->in.data, l->in.len);
		buf_clear(&l->in);
	}
	if (l->in_ended && !l->closing && !json_lines_are_full(l))
		l->hung_up(l->ctx);
}

static void on_in(void *ctx, int fd, short revents)
{
	struct json_lines *l = ctx;
	ssize_t n = 0;

	if (!json_lines_are_full(l)) {
		n = read(fd, buf_room(&l->in, CHUNK), CHUNK);
		if (n < 0 && (errno == EAGAIN || errno == EINTR))
			return;
	} else if (revents & POLLIN) {
		return;
	} else {
		/* The sender is gone while its requests wait for a reader. */
		l->hung_up(l->ctx);
	}
	if (n > 0) {
		l->in.len += (size_t)n;
	} else {
		loop_io_remove(l->in_io);
		l->in_io = NULL;
		l->in_ended = true;
		if (l->in.len || l->too_long)
			buf_addc(&l->in, '\n');
	}
	read_lines(l);
}

static bool can_wait_for(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd));
}

int json_lines_open(struct json_lines *l, struct loop *loop, struct err *err)
{
	if (!can_wait_for(0)) {
		err_set(err, ERR_USAGE,
			"afw-supervisor --stdio: standard input is not a pipe, "
			"socket or terminal");
		return err_hint(err, "what it runs ends with its input");
	}
	/* Allocated once, so that no copies of the input stay in memory. */
	buf_room(&l->in, JSON_LINES_IN_MAX + (size_t)2 * CHUNK);
	l->in_io = loop_io_add(loop, 0, POLLIN, on_in, l);
	if (can_wait_for(1))
		l->out_io = loop_io_add(loop, 1, POLLERR, on_out, l);
	l->farewell = loop_timer_add(loop, on_farewell, l);
	return 0;
}

void json_lines_finish(struct json_lines *l)
{
	buf_finish(&l->in);
	buf_finish(&l->out);
}
