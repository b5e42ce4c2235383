/*
 * probe.c - tries to connect to a port repeatedly, because no kernel reports
 * when a process begins to listen.
 */
#include "supervisor/services/probe.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/ready.h"

#define PAUSE_MIN_MS 50
#define PAUSE_MAX_MS 500
#define ANSWER_MS    2000 /* limit for one step of a try */

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

/* Sets a to the loopback address, or with all to every address. */
static socklen_t set_address(union address *a, int port, bool v6, bool all)
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

bool probe_port_in_use(int port)
{
	static const int on = 1;
	bool taken = false;

	for (int v6 = 0; v6 < 2 && !taken; v6++) {
		union address a;
		socklen_t len = set_address(&a, port, v6, true);
		int fd = socket(a.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

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

static bool poll_event(int fd, short events)
{
	struct pollfd p = {.fd = fd, .events = events};

	return poll(&p, 1, ANSWER_MS) > 0;
}

static bool is_connected(int fd, const union address *a, socklen_t len)
{
	int why = 0;
	socklen_t size = sizeof why;

	if (connect(fd, &a->any, len) == 0)
		return true;
	return errno == EINPROGRESS && poll_event(fd, POLLOUT) &&
	       getsockopt(fd, SOL_SOCKET, SO_ERROR, &why, &size) == 0 && !why;
}

/* "HTTP/1.1 200 OK": the first 12 bytes arrive together. */
static bool is_http_ready(int fd, const struct ready *how)
{
	char text[1024];
	int n = snprintf(text, sizeof text,
			 "GET %s HTTP/1.0\r\nHost: localhost:%d\r\n\r\n",
			 how->what, how->port);

	return n < (int)sizeof text &&
	       send(fd, text, (size_t)n, MSG_NOSIGNAL) == n &&
	       poll_event(fd, POLLIN) && recv(fd, text, 12, 0) == 12 &&
	       strncmp(text, "HTTP/1.", 7) == 0 &&
	       (text[9] == '2' || text[9] == '3');
}

static bool is_ready(const struct ready *how, bool v6)
{
	union address a;
	socklen_t len = set_address(&a, how->port, v6, false);
	int fd = socket(a.any.sa_family,
			SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool ready = fd >= 0 && is_connected(fd, &a, len) &&
		     (how->how == READY_TCP || is_http_ready(fd, how));

	if (fd >= 0)
		close(fd);
	return ready;
}

int probe_run(const char *text, int ms)
{
	int64_t end = clock_mono_ms() + ms;
	int pause = PAUSE_MIN_MS;
	struct ready how;

	if (ready_parse(text, &how) || !how.port)
		return 2;
	while (clock_mono_ms() < end) {
		if (is_ready(&how, false) || is_ready(&how, true))
			return 0;
		poll(NULL, 0, pause);
		pause = pause < PAUSE_MAX_MS / 2 ? 2 * pause : PAUSE_MAX_MS;
	}
	return 1;
}
