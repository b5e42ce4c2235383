/*
 * stdio.c - lines in, lines out.
 *
 * What a reader has not taken is kept up to STDIO_OUT_MAX; then nothing more is
 * read, from the harness or from the requests, until it has. Both wait in
 * their pipes, as if we were not between.
 */
#include "supervisor/headless/stdio.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/tree.h"
#include "supervisor/headless/stdio_internal.h"
#include "wire/frame.h"

static const struct request {
	const char *cmd;
	int (*run)(struct stdio *s, cJSON *rq, struct err *err);
} requests[] = {{"start", stdio_start},
		{"chat", stdio_chat},
		{"stop", stdio_stop},
		{"exec", stdio_exec}};

/* -- out ------------------------------------------------------------------- */

/* What may be read and written now. */
static void flow(struct stdio *s)
{
	if (s->out_io)
		loop_io_events(s->out_io,
			       s->reader_gone
				   ? 0
				   : POLLERR |
					 (stdio_pending(s) ? POLLOUT : 0));
	if (s->in_io)
		loop_io_events(s->in_io, stdio_is_full(s) ? POLLHUP : POLLIN);
	stdio_agent_flow(s);
	if (s->over && !stdio_pending(s))
		s->done = true;
}

/* Who reads us is gone. */
static void on_unread(struct stdio *s)
{
	stdio_end(s, s->stop_timeout_ms);
}

static void read_lines(struct stdio *s);

static void on_out(void *ctx, int fd, short revents)
{
	struct stdio *s = ctx;
	size_t len = stdio_pending(s) < PIPE_BUF ? stdio_pending(s) : PIPE_BUF;
	/* So much goes in without a wait where there is room at all: the
	 * descriptor is not ours alone to be made not to block. */
	ssize_t n = revents & (POLLERR | POLLHUP)
			? -1
			: write(fd, s->out.data + s->out_at, len);

	if (n < 0 && !(revents & (POLLERR | POLLHUP)) &&
	    (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		stdio_lose_reader(s);
		return;
	}
	s->out_at += (size_t)n;
	if (!stdio_pending(s) || s->out_at >= STDIO_OUT_MAX) {
		buf_drop(&s->out, s->out_at);
		s->out_at = 0;
	}
	if (s->over)
		loop_timer_set(s->farewell, STDIO_FAREWELL_MS);
	flow(s);
	read_lines(s);
}

/* Nobody reads the last words. */
static void on_farewell(void *ctx)
{
	struct stdio *s = ctx;

	s->done = true;
}

/* -- in -------------------------------------------------------------------- */

static void on_request(struct stdio *s, cJSON *rq)
{
	const char *cmd = json_str_or(rq, "cmd", "");
	struct err err = {0};

	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (strcmp(requests[i].cmd, cmd) == 0) {
			if (requests[i].run(s, rq, &err) < 0)
				stdio_refuse(s, rq, &err);
			return;
		}
	err_set(&err, ERR_USAGE, "there is no request '%.40s'", cmd);
	err_hint(&err, "cmd is start, chat, stop or exec");
	stdio_refuse(s, rq, &err);
}

/* Nothing of it stays in our memory but in the result: it may have secrets,
 * and what is forked from us has our memory. */
static cJSON *take_line(struct stdio *s, size_t len, struct err *err)
{
	cJSON *rq = NULL;

	if (s->too_long || len > STDIO_LINE)
		err_set(err, ERR_LIMIT, "a line of more than %zu bytes",
			STDIO_LINE);
	else
		rq = json_parse_object(s->in.data, len, err);
	buf_drop(&s->in, len + 1);
	explicit_bzero(s->in.data + s->in.len, len + 1);
	s->too_long = false;
	return rq;
}

/* What is in s->in, while there is room for what it leads to. */
static void read_lines(struct stdio *s)
{
	const char *end;

	while (!stdio_is_full(s) && !s->over && s->in.len &&
	       (end = memchr(s->in.data, '\n', s->in.len))) {
		struct err err = {0};
		cJSON *rq = take_line(s, (size_t)(end - s->in.data), &err);

		if (rq)
			on_request(s, rq);
		else
			stdio_refuse(s, NULL, &err);
		cJSON_Delete(rq);
	}
	/* The rest of a line that is too long goes; its end is told. */
	if (s->in.len > STDIO_LINE) {
		s->too_long = true;
		explicit_bzero(s->in.data, s->in.len);
		buf_clear(&s->in);
	}
	if (s->in_ended && !s->over && !stdio_is_full(s))
		stdio_end(s, s->stop_timeout_ms);
}

static void on_in(void *ctx, int fd, short revents)
{
	struct stdio *s = ctx;
	ssize_t n;

	if (stdio_is_full(s) && revents & POLLIN)
		return;
	/* The sender is gone while its requests wait for a reader. */
	if (stdio_is_full(s)) {
		stdio_end(s, s->stop_timeout_ms);
		n = 0;
	} else {
		n = read(fd, buf_room(&s->in, STDIO_CHUNK), STDIO_CHUNK);
	}
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0) {
		s->in.len += (size_t)n;
	} else {
		loop_io_remove(s->in_io);
		s->in_io = NULL;
		s->in_ended = true;
		if (s->in.len || s->too_long)
			buf_addc(&s->in, '\n');
	}
	read_lines(s);
}

/* -- the process ----------------------------------------------------------- */

static void on_signal(void *ctx, int signo)
{
	struct stdio *s = ctx;

	if (signo == SIGCHLD) {
		stdio_reap(s);
		return;
	}
	if (s->pid == 0)
		s->exit_code = 128 + signo;
	else if (signo != SIGTERM && !s->exited)
		kill(-s->pid, signo); /* which need not be its end */
	if (s->pid == 0 || signo == SIGTERM)
		stdio_end(s, s->stop_timeout_ms);
}

static bool can_wait_for(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 &&
	       (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode) || isatty(fd));
}

static int set_up(struct stdio *s, struct err *err)
{
	static const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP, 0};

	if (!can_wait_for(0)) {
		err_set(err, ERR_USAGE,
			"afw-supervisor --stdio: standard input is no pipe, "
			"socket or terminal");
		return err_hint(err, "what it runs ends with its input");
	}
	signal(SIGPIPE, SIG_IGN);
#ifndef __SANITIZE_ADDRESS__ /* whose end looks into itself */
	prctl(PR_SET_DUMPABLE, 0);
#endif
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return err_errno(err, "become a subreaper");
	s->inherited = tree_children();
	s->loop = loop_create();
	if (loop_signals(s->loop, signals, on_signal, s) < 0)
		return err_errno(err, "listen to signals");
	/* It never moves: nothing that was in it stays elsewhere. */
	buf_room(&s->in, STDIO_LINE + (size_t)2 * STDIO_CHUNK);
	s->in_io = loop_io_add(s->loop, 0, POLLIN, on_in, s);
	if (can_wait_for(1))
		s->out_io = loop_io_add(s->loop, 1, POLLERR, on_out, s);
	s->farewell = loop_timer_add(s->loop, on_farewell, s);
	return 0;
}

int stdio_run(void)
{
	struct stdio s = {.flow = flow,
			  .unread = on_unread,
			  .events = {.ctx = &s,
				     .exited = stdio_on_exited,
				     .lost = stdio_on_lost},
			  .exit_code = 1,
			  .stop_timeout_ms = 5000};
	struct err err = {0};
	cJSON *hello;

	if (set_up(&s, &err) < 0) {
		fprintf(stderr, "%s\n", err.what);
		if (err.hint[0])
			fprintf(stderr, "%s\n", err.hint);
		loop_destroy(s.loop);
		return err.kind;
	}
	hello = stdio_event("system:ready");
	json_set_int(hello, "v", WIRE_VERSION);
	json_set_int(hello, "pid", getpid());
	stdio_say(&s, hello);
	while (!s.done)
		loop_once(s.loop, -1);
	stdio_exec_finish(&s);
	stdio_agent_finish(&s);
	buf_finish(&s.in);
	buf_finish(&s.out);
	loop_destroy(s.loop);
	free(s.inherited);
	return s.exit_code;
}
