/*
 * service_check.c - when a service is ready. A port is tried again and again,
 * for no kernel tells when somebody listens; the rest is heard.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "supervisor/services.h"

#define PAUSE_MIN_MS 50
#define PAUSE_MAX_MS 500
#define ANSWER_MS    2000 /* that one try may take */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* This machine's, or with all every address of it. */
static socklen_t address(union address *a, int port, bool v6, bool all)
{
	*a = (union address){0};
	if (v6) {
		a->v6.sin6_family = AF_INET6;
		a->v6.sin6_port = htons((uint16_t)port);
		a->v6.sin6_addr = all ? in6addr_any : in6addr_loopback;
		return sizeof a->v6;
	}
	a->v4.sin_family = AF_INET;
	a->v4.sin_port = htons((uint16_t)port);
	a->v4.sin_addr.s_addr = htonl(all ? INADDR_ANY : INADDR_LOOPBACK);
	return sizeof a->v4;
}

static int open_socket(const union address *a)
{
	return socket(a->any.sa_family,
		      SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

bool service_check_taken(const struct service *s)
{
	static const int on = 1;
	bool taken = false;

	for (int v6 = 0; s->check.how.port && v6 < 2 && !taken; v6++) {
		union address a;
		socklen_t len = address(&a, s->check.how.port, v6, true);
		int fd = open_socket(&a);

		if (fd < 0)
			continue;
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
		if (v6)
			setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on,
				   sizeof on);
		taken = bind(fd, &a.any, len) < 0 && errno == EADDRINUSE;
		close(fd);
	}
	return taken;
}

static void end_try(struct service *s)
{
	loop_io_remove(s->check.io);
	s->check.io = NULL;
	file_reset(&s->check.fd);
}

/* The next one, a while later. */
static void again(struct service *s)
{
	struct service_check *c = &s->check;

	end_try(s);
	loop_timer_set(c->again, c->pause_ms);
	c->other = !c->other;
	c->pause_ms *= 2;
	if (c->pause_ms > PAUSE_MAX_MS)
		c->pause_ms = PAUSE_MAX_MS;
}

static void is_ready(struct service *s)
{
	service_check_end(s);
	services_ready(s);
}

/* "HTTP/1.1 200 OK": the first 12 bytes come in one piece. */
static void on_answer(void *ctx, int fd, short revents)
{
	struct service *s = ctx;
	char text[13] = "";
	ssize_t n = recv(fd, text, sizeof text - 1, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n == 12 && strncmp(text, "HTTP/1.", 7) == 0 &&
	    (text[9] == '2' || text[9] == '3'))
		is_ready(s);
	else
		again(s);
}

static void on_connected(void *ctx, int fd, short revents)
{
	struct service *s = ctx;
	struct service_check *c = &s->check;
	char text[1024];
	int why = 0, n;
	socklen_t len = sizeof why;

	getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &len);
	if (why) {
		again(s);
		return;
	}
	if (c->how.how == READY_TCP) {
		is_ready(s);
		return;
	}
	n = snprintf(text, sizeof text,
		     "GET %s HTTP/1.0\r\nHost: localhost:%d\r\n\r\n",
		     c->how.what, c->how.port);
	if (n >= (int)sizeof text ||
	    send(fd, text, (size_t)n, MSG_NOSIGNAL) != n) {
		again(s);
		return;
	}
	loop_io_remove(c->io);
	c->io = loop_io_add(s->sv->loop, fd, POLLIN, on_answer, s);
}

static void on_again(void *ctx)
{
	struct service *s = ctx;
	struct service_check *c = &s->check;
	union address a;
	socklen_t len = address(&a, c->how.port, c->other, false);

	if (c->how.how == READY_DELAY) {
		is_ready(s);
		return;
	}
	end_try(s);
	c->fd = open_socket(&a);
	if (c->fd < 0 ||
	    (connect(c->fd, &a.any, len) < 0 && errno != EINPROGRESS)) {
		again(s);
		return;
	}
	c->io = loop_io_add(s->sv->loop, c->fd, POLLOUT, on_connected, s);
	loop_timer_set(c->again, ANSWER_MS);
}

static void on_deadline(void *ctx)
{
	struct service *s = ctx;

	service_check_end(s);
	services_late(s);
}

void service_check_begin(struct service *s)
{
	struct service_check *c = &s->check;

	if (!c->again) {
		c->again = loop_timer_add(s->sv->loop, on_again, s);
		c->deadline = loop_timer_add(s->sv->loop, on_deadline, s);
	}
	c->pause_ms = PAUSE_MIN_MS;
	c->other = false;
	if (c->how.how == READY_DELAY) {
		loop_timer_set(c->again, c->how.delay_ms);
		return;
	}
	if (c->how.port)
		loop_timer_set(c->again, 0);
	loop_timer_set(c->deadline,
		       json_int(s->spec, "ready_timeout_ms", 30000));
}

void service_check_end(struct service *s)
{
	if (!s->check.again)
		return;
	end_try(s);
	loop_timer_stop(s->check.again);
	loop_timer_stop(s->check.deadline);
}

/* What is waited for may have come in two pieces. */
void service_check_printed(struct service *s, size_t len)
{
	const struct buf *tail = &s->log.tail;
	size_t want, all;

	if (s->check.how.how != READY_LOG || s->state != SERVICE_STARTING)
		return;
	want = strlen(s->check.how.what);
	all = len + want < tail->len ? len + want : tail->len;
	if (memmem(tail->data + tail->len - all, all, s->check.how.what, want))
		is_ready(s);
}
