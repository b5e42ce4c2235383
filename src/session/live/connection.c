/* connection.c - connects to a session's supervisor, or to many at once with
 * poll(2). */
#include "session/live/connection.h"

#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"

#define SEQ 1 /* of the one request on a connection of many */

static int not_running(const struct session *s, struct err *err)
{
	const char *name = s->spec.name;

	if (s->broken)
		return err_set(err, ERR_NOT_RUNNING,
			       "session '%s' is broken: "
			       "%s",
			       name, s->state.error_reason);
	err_set(err, ERR_NOT_RUNNING, "session '%s' is not running (%s%s%s)",
		name, session_status_word(s), s->state.error_reason ? ": " : "",
		s->state.error_reason ? s->state.error_reason : "");
	return err_hint(err, "`afw start %s` starts it", name);
}

/*
 * Handles a session whose lock is held while no process listens: its supervisor
 * is ending or has ended since the state was read, or another process holds the
 * lock. Returns 0 if it is running: then try again. A killed supervisor leaves
 * its state unchanged, but also its socket.
 */
static int not_reached(const struct session *s, bool again, struct err *err)
{
	_free_ char *path = file_join(s->dir, "control");
	_session_ struct session now = {0};

	if (session_load(&now, s->spec.id, err) < 0)
		return -1;
	if (phase_is_live(s->state.phase) && !phase_is_live(now.state.phase))
		return not_running(&now, err);
	if (now.alive && now.state.waits) {
		err_set(err, ERR_NOT_RUNNING, "session '%s' waits for %s",
			now.spec.name, now.spec.after);
		return err_hint(err, "its agent starts when that one is done");
	}
	if (now.alive && now.state.phase == PHASE_RUNNING &&
	    !(again && access(path, F_OK) == 0))
		return 0;
	err_set(err, ERR_NOT_RUNNING, "session '%s' cannot be reached yet (%s)",
		now.spec.name, session_status_word(&now));
	return err_hint(err, "another process starts, stops or removes it; try "
			     "again in a moment");
}

static int no_socket(const struct session *s, struct err *err)
{
	err_set(err, ERR_FAILED,
		"session '%s' is running, but its control socket %s/control "
		"was deleted",
		s->spec.name, s->dir);
	return err_hint(err, "`kill %d` ends it, then `afw start %s` starts it",
			(int)s->state.supervisor_pid, s->spec.name);
}

static struct client *open_socket(const struct session *s, struct err *err)
{
	_free_ char *path = file_join(s->dir, "control");

	return client_open(path, CONNECT_TIMEOUT_MS, err);
}

static struct client *open_session(const struct session *s, bool greet,
				   struct err *err)
{
	struct client *c;

	if (!s->alive) {
		not_running(s, err);
		return NULL;
	}
	for (bool again = false;; again = true) {
		c = open_socket(s, err);
		if (c && (!greet ||
			  client_greeting(c, CONNECT_TIMEOUT_MS, err) == 0))
			return c;
		client_destroy(c);
		if (err->kind != ERR_NOT_RUNNING)
			break;
		if (not_reached(s, again, err) < 0 ||
		    (again && no_socket(s, err) < 0))
			return NULL;
	}
	err_prefix(err, "reach session '%s'", s->spec.name);
	return NULL;
}

struct client *connect_session(const struct session *s, struct err *err)
{
	return open_session(s, true, err);
}

/* As connect_session(), without waiting for the greeting (client_open()). */
static struct client *open_client(const struct session *s, struct err *err)
{
	return open_session(s, false, err);
}

cJSON *connect_request(const struct session *s, const struct request *rq,
		       int64_t timeout_ms, struct err *err)
{
	_client_ struct client *c = connect_session(s, err);

	return c ? client_request(c, rq, -1, timeout_ms, err) : NULL;
}

/* -- many at once
 * -------------------------------------------------------------- */

struct line {
	struct client *client; /* NULL: done */
	bool asked;	       /* the request was sent */
	int64_t end;	       /* monotonic ms; -1: none */
};

struct broadcast {
	const struct session_list *list;
	struct line *lines;
	struct request request;
	int64_t timeout_ms;
	broadcast_fn fn;
	void *ctx;
};

static void report_reply(struct broadcast *b, size_t i, const cJSON *reply,
			 const struct err *err)
{
	client_destroy(b->lines[i].client);
	b->lines[i].client = NULL;
	if (b->fn)
		b->fn(b->ctx, i, reply, err);
}

static void report_failure(struct broadcast *b, size_t i, struct err *err)
{
	const char *name = b->list->v[i].spec.name;

	/* A request that was sent may be carried out, now or later. */
	if (b->lines[i].asked &&
	    (err->kind == ERR_NOT_RUNNING || err->kind == ERR_TIMEOUT)) {
		err_set(err, ERR_UNCONFIRMED,
			err->kind == ERR_TIMEOUT
			    ? "its supervisor did not answer in time: it is "
			      "unknown what it did"
			    : "its supervisor ended without an answer: it is "
			      "unknown what it did");
		err_hint(err,
			 "look with `afw capture %s` and `afw status "
			 "%s` before you send it again",
			 name, name);
	}
	report_reply(b, i, NULL, err);
}

static void take_reply(struct broadcast *b, size_t i, const cJSON *o)
{
	struct err err = {0};

	if (json_bool(o, "ok", false)) {
		report_reply(b, i, o, NULL);
		return;
	}
	json_err(o, &err);
	report_reply(b, i, NULL, &err);
}

static int send_request(struct broadcast *b, struct line *line, struct err *err)
{
	if (client_send(line->client, &b->request, -1, CLIENT_SEND_MS, err) < 0)
		return -1;
	line->asked = true;
	line->end = b->timeout_ms < 0 ? -1 : clock_mono_ms() + b->timeout_ms;
	return 0;
}

/* Handles what has arrived from one session. */
static void handle_session(struct broadcast *b, size_t i)
{
	struct line *line = &b->lines[i];
	struct err err = {0};
	cJSON *o;

	if (!line->asked && (client_greeting(line->client, 0, &err) < 0 ||
			     send_request(b, line, &err) < 0)) {
		if (err.kind != ERR_TIMEOUT)
			report_failure(b, i, &err);
		return;
	}
	while (line->client && (o = client_next(line->client, 0, &err))) {
		if (json_int(o, "seq", 0) == SEQ)
			take_reply(b, i, o);
		cJSON_Delete(o);
	}
	if (line->client && err.kind != ERR_TIMEOUT)
		report_failure(b, i, &err);
}

static void begin_request(struct broadcast *b, size_t i)
{
	struct line *line = &b->lines[i];
	struct err err = {0};

	line->client = open_client(&b->list->v[i], &err);
	line->end = clock_mono_ms() + CONNECT_TIMEOUT_MS;
	if (!line->client)
		report_failure(b, i, &err);
}

/* Ends requests after their deadline; returns ms until the next deadline, at
 * most a minute. */
static int expire_requests(struct broadcast *b)
{
	int64_t now = clock_mono_ms(), next = 60000;

	for (size_t i = 0; i < b->list->n; i++) {
		struct line *line = &b->lines[i];
		struct err err = {0};
		int64_t left = line->end - now;

		if (!line->client || line->end < 0)
			continue;
		if (left <= 0) {
			err_set(&err, ERR_TIMEOUT,
				"its supervisor did not answer in time");
			report_failure(b, i, &err);
		} else if (left < next) {
			next = left;
		}
	}
	return (int)next;
}

static size_t fill_pollfds(const struct broadcast *b, struct pollfd *fds)
{
	size_t n = 0;

	for (size_t i = 0; i < b->list->n; i++) {
		struct client *c = b->lines[i].client;

		fds[i] = (struct pollfd){.fd = c ? client_fd(c) : -1,
					 .events = POLLIN};
		n += c != NULL;
	}
	return n;
}

void broadcast(const struct session_list *l, const struct request *rq,
	       int64_t timeout_ms, broadcast_fn fn, void *ctx)
{
	struct broadcast b = {
	    .list = l,
	    .lines = mem_alloc(l->n * sizeof *b.lines),
	    .request = *rq,
	    .timeout_ms = timeout_ms,
	    .fn = fn,
	    .ctx = ctx,
	};
	struct pollfd *fds = mem_alloc(l->n * sizeof *fds);
	int wait_ms = 0;

	b.request.seq = SEQ;
	for (size_t i = 0; i < l->n; i++)
		begin_request(&b, i);
	/* Replies that have arrived are read before any request times out:
	 * connecting to the others may have taken all the time. */
	while (fill_pollfds(&b, fds) > 0) {
		if (poll(fds, l->n, wait_ms) > 0)
			for (size_t i = 0; i < l->n; i++)
				if (fds[i].revents && b.lines[i].client)
					handle_session(&b, i);
		wait_ms = expire_requests(&b);
	}
	free(b.lines);
	free(fds);
}
