/* broadcast.c - one poll(2) over the control sockets of many sessions. */
#include "session/live/broadcast.h"

#include <poll.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "session/live/connect.h"

#define SEQ 1

struct line {
	struct client *client; /* NULL: done */
	bool asked;	       /* the request was handed over */
	int64_t end;	       /* monotonic ms; -1: none */
};

struct broadcast {
	const struct session_list *list;
	struct line *lines;
	const cJSON *request;
	int64_t timeout_ms;
	broadcast_fn fn;
	void *ctx;
};

static void done(struct broadcast *b, size_t i, const cJSON *reply,
		 const struct err *err)
{
	client_destroy(b->lines[i].client);
	b->lines[i].client = NULL;
	if (b->fn)
		b->fn(b->ctx, i, reply, err);
}

static void fail(struct broadcast *b, size_t i, struct err *err)
{
	const char *name = b->list->v[i].spec.name;

	/* What was handed over may have been done, or is done later. */
	if (b->lines[i].asked &&
	    (err->kind == ERR_NOT_RUNNING || err->kind == ERR_TIMEOUT)) {
		err_set(err, ERR_UNCONFIRMED,
			err->kind == ERR_TIMEOUT
			    ? "its supervisor did not answer in time: nobody "
			      "knows how far it came"
			    : "its supervisor ended without an answer: nobody "
			      "knows how far it came");
		err_hint(err,
			 "look with `afw capture %s` and `afw status "
			 "%s` before you send it again",
			 name, name);
	}
	done(b, i, NULL, err);
}

static void take_reply(struct broadcast *b, size_t i, const cJSON *o)
{
	struct err err = {0};

	if (json_bool(o, "ok", false)) {
		done(b, i, o, NULL);
		return;
	}
	json_err(o, &err);
	done(b, i, NULL, &err);
}

static int ask(struct broadcast *b, struct line *line, struct err *err)
{
	cJSON *request = cJSON_Duplicate(b->request, 1);

	json_set_int(request, "seq", SEQ);
	if (client_send(line->client, request, -1, err) < 0)
		return -1;
	line->asked = true;
	line->end = b->timeout_ms < 0 ? -1 : clock_mono_ms() + b->timeout_ms;
	return 0;
}

/* Takes what is here of one session. */
static void step(struct broadcast *b, size_t i)
{
	struct line *line = &b->lines[i];
	struct err err = {0};
	cJSON *o;

	if (!line->asked && (client_greeting(line->client, 0, &err) < 0 ||
			     ask(b, line, &err) < 0)) {
		if (err.kind != ERR_TIMEOUT)
			fail(b, i, &err);
		return;
	}
	while (line->client && (o = client_next(line->client, 0, &err))) {
		if (json_int(o, "seq", 0) == SEQ)
			take_reply(b, i, o);
		cJSON_Delete(o);
	}
	if (line->client && err.kind != ERR_TIMEOUT)
		fail(b, i, &err);
}

static void begin(struct broadcast *b, size_t i)
{
	struct line *line = &b->lines[i];
	struct err err = {0};

	line->client = connect_open(&b->list->v[i], &err);
	line->end = clock_mono_ms() + CONNECT_TIMEOUT_MS;
	if (!line->client)
		fail(b, i, &err);
}

/* Who is out of time is done; returns ms until the next one is, at most a
 * minute. */
static int expire(struct broadcast *b)
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
			fail(b, i, &err);
		} else if (left < next) {
			next = left;
		}
	}
	return (int)next;
}

static size_t fill(const struct broadcast *b, struct pollfd *fds)
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

void broadcast(const struct session_list *l, cJSON *request, int64_t timeout_ms,
	       broadcast_fn fn, void *ctx)
{
	struct broadcast b = {
	    .list = l,
	    .lines = mem_alloc(l->n * sizeof *b.lines),
	    .request = request,
	    .timeout_ms = timeout_ms,
	    .fn = fn,
	    .ctx = ctx,
	};
	struct pollfd *fds = mem_alloc(l->n * sizeof *fds);
	int wait_ms = 0;

	for (size_t i = 0; i < l->n; i++)
		begin(&b, i);
	/* What is here is taken before anybody is out of time: to reach or to
	 * ask another one may have taken all of it. */
	while (fill(&b, fds) > 0) {
		if (poll(fds, l->n, wait_ms) > 0)
			for (size_t i = 0; i < l->n; i++)
				if (fds[i].revents && b.lines[i].client)
					step(&b, i);
		wait_ms = expire(&b);
	}
	cJSON_Delete(request);
	free(b.lines);
	free(fds);
}
