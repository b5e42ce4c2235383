/*
 * client.c - one blocking conversation with a supervisor.
 *
 * Replies have the request's seq; anything else that arrives is an event, kept
 * in a short list. The list is bounded: a program that sends requests without
 * reading events gets an error.
 */
#include "wire/client.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "wire/sock.h"
#include "wire/frame.h"

#define EVENTS_MAX 1024

struct client {
	int fd;
	int64_t seq;
	struct buf in;
	cJSON *events; /* an array, oldest first */
	const volatile sig_atomic_t *interrupted;
};

void client_destroy(struct client *c)
{
	if (!c)
		return;
	close(c->fd);
	buf_finish(&c->in);
	cJSON_Delete(c->events);
	free(c);
}

int client_fd(const struct client *c)
{
	return c->fd;
}

void client_interrupted_by(struct client *c, const volatile sig_atomic_t *by)
{
	c->interrupted = by;
}

/* Waits until its socket is ready: 0, or -1 with ERR_TIMEOUT. */
static int wait_ready(struct client *c, short events, int64_t end,
		      struct err *err)
{
	struct pollfd p = {.fd = c->fd, .events = events};

	for (;;) {
		int64_t left = end - clock_mono_ms();
		int n;

		if (c->interrupted && *c->interrupted)
			return err_set(err, ERR_FAILED, "interrupted");
		n = poll(&p, 1,
			 left > 60000 ? 60000
			 : left > 0   ? (int)left
				      : 0);

		if (n > 0)
			return 0;
		if (n == 0 && clock_mono_ms() >= end)
			return err_set(err, ERR_TIMEOUT,
				       "the session's supervisor did not "
				       "answer in time");
		if (n < 0 && errno != EINTR)
			return err_errno(err, "wait for the supervisor");
	}
}

/* Reads one message from the socket, or NULL. */
static cJSON *receive(struct client *c, int64_t end, struct err *err)
{
	cJSON *o = NULL;

	for (;;) {
		int r = frame_extract(&c->in, &o, err);
		ssize_t n;

		if (r > 0)
			return o;
		if (r < 0 || wait_ready(c, POLLIN, end, err) < 0)
			return NULL;
		n = recv(c->fd, buf_room(&c->in, 65536), 65536, 0);
		if (n > 0) {
			c->in.len += (size_t)n;
			c->in.data[c->in.len] = '\0';
		} else if (n == 0 || errno == ECONNRESET) {
			err_set(
			    err, ERR_NOT_RUNNING,
			    "the session's supervisor closed the connection");
			return NULL;
		} else if (errno != EINTR && errno != EAGAIN) {
			err_errno(err, "read from the supervisor");
			return NULL;
		}
	}
}

static int check_hello(const cJSON *hello, struct err *err)
{
	if (json_int(hello, "v", 0) == WIRE_VERSION)
		return 0;
	if (json_str(hello, "error"))
		return err_set(err, ERR_FAILED, "%s", json_str(hello, "error"));
	err_set(err, ERR_FAILED,
		"the session's supervisor uses version %lld of the protocol, "
		"this afw uses %d",
		(long long)json_int(hello, "v", 0), WIRE_VERSION);
	return err_hint(err, "stop and start the session to upgrade it");
}

int client_greeting(struct client *c, int64_t timeout_ms, struct err *err)
{
	_json_ cJSON *hello = receive(c, clock_mono_ms() + timeout_ms, err);

	return hello ? check_hello(hello, err) : -1;
}

static struct client *client_create(int fd)
{
	struct client *c = mem_alloc(sizeof *c);

	c->fd = fd;
	c->events = cJSON_CreateArray();
	file_set_nonblock(fd);
	return c;
}

struct client *client_adopt(int fd, int64_t timeout_ms, struct err *err)
{
	_client_ struct client *c = client_create(fd);

	return client_greeting(c, timeout_ms, err) == 0 ? TAKE_PTR(c) : NULL;
}

struct client *client_open(const char *path, int64_t timeout_ms,
			   struct err *err)
{
	int64_t end = clock_mono_ms() + timeout_ms;
	_close_ int fd = -1;

	/* EAGAIN: its queue of new connections is full, and no event reports
	 * when that ends. */
	while ((fd = sock_connect(path)) < 0 && errno == EAGAIN &&
	       clock_mono_ms() < end)
		poll(NULL, 0, 10);
	if (fd < 0) {
		if (errno == EAGAIN)
			err_set(err, ERR_TIMEOUT,
				"the session's supervisor does not answer");
		else if (errno == ENOENT || errno == ECONNREFUSED)
			err_set(err, ERR_NOT_RUNNING,
				"the session's supervisor is not running");
		else
			err_errno(err, "connect to %s", path);
		return NULL;
	}
	if (!sock_peer_is_same_user(fd, NULL)) {
		err_set(err, ERR_FAILED,
			"the socket %s is served by another user", path);
		return NULL;
	}
	return client_create(TAKE_FD(fd));
}

int client_send(struct client *c, const struct request *rq, int fd,
		int64_t timeout_ms, struct err *err)
{
	int64_t end = clock_mono_ms() + timeout_ms;
	_json_ cJSON *o = request_json(rq);
	_buf_ struct buf out = {0};
	size_t sent = 0;
	int rc;

	json_set_int(o, "v", WIRE_VERSION);
	rc = frame_append(&out, o, err);
	while (rc == 0 && sent < out.len) {
		ssize_t n = sock_send_fd(c->fd, out.data + sent, out.len - sent,
					 sent == 0 ? fd : -1);

		if (n > 0)
			sent += (size_t)n;
		else if (errno == EAGAIN)
			rc = wait_ready(c, POLLOUT, end, err);
		else if (errno == EPIPE || errno == ECONNRESET)
			rc = err_set(
			    err, ERR_NOT_RUNNING,
			    "the session's supervisor closed the connection");
		else if (errno != EINTR)
			rc = err_errno(err, "write to the supervisor");
	}
	return rc;
}

static int keep_event(struct client *c, cJSON *event, struct err *err)
{
	if (cJSON_GetArraySize(c->events) >= EVENTS_MAX) {
		cJSON_Delete(event);
		return err_set(err, ERR_LIMIT, "too many unread events");
	}
	cJSON_AddItemToArray(c->events, event);
	return 0;
}

cJSON *client_request(struct client *c, const struct request *rq, int fd,
		      int64_t timeout_ms, struct err *err)
{
	int64_t end = clock_mono_ms() + timeout_ms, seq = ++c->seq;
	struct request numbered = *rq;

	numbered.seq = seq;
	if (client_send(c, &numbered, fd, CLIENT_SEND_MS, err) < 0)
		return NULL;
	for (;;) {
		_json_ cJSON *o = receive(c, end, err);

		if (!o)
			return NULL;
		if (json_int(o, "seq", 0) != seq) {
			if (keep_event(c, TAKE_PTR(o), err) < 0)
				return NULL;
			continue;
		}
		if (json_bool(o, "ok", false))
			return TAKE_PTR(o);
		json_err(o, err);
		return NULL;
	}
}

cJSON *client_next(struct client *c, int64_t timeout_ms, struct err *err)
{
	if (c->events->child)
		return cJSON_DetachItemFromArray(c->events, 0);
	return receive(c, clock_mono_ms() + timeout_ms, err);
}
