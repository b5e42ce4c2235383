/*
 * client_follow.c - from nothing known of OpenCode's server to messages that
 * may be sent.
 *
 * It comes up in steps, each begun anew from the first whenever one fails:
 *
 *   look    until the harness's own processes listen on the port that they
 *           were given; no word goes to a port that is anybody else's
 *   probe   a request that is answered: the first ones after the start may
 *           never be
 *   follow  the stream of events
 *   sync    what was so before the stream began
 *   up      messages may be sent
 *
 * A server that leaves a request of a message's unanswered may only be slow:
 * messages wait then until it answers a probe, and the stream is kept, for
 * nothing that happens meanwhile is lost in it.
 */
#include "opencode/client_internal.h"

#include <stdio.h>
#include <string.h>

#define LOOK_MAX_MS 2000  /* after many of them */
#define AGAIN_MS    500	  /* after a step that failed */
#define PROBE_MS    3000  /* the first request's answer */
#define SILENCE_MS  30000 /* of the stream; a heartbeat comes every 10 s */
#define PROBE_MAX   ((size_t)4 * 1024 * 1024)

static const char silent[] = "its server does not answer";

/* -- coming up ------------------------------------------------------------- */

static void later(struct client *c, int64_t ms, void (*fn)(struct client *c))
{
	c->next = fn;
	loop_timer_set(c->timer, ms);
}

void client_due(void *ctx)
{
	struct client *c = ctx;

	c->next(c);
}

static void start_over(struct client *c, const char *why)
{
	bool followed = c->stream != NULL;

	/* Before what was given to us comes back. */
	client_say_state(c, false, why);
	http_port(c->http, c->listener.port); /* ends all requests */
	c->stream = NULL;
	sync_lost(c->sync);
	interruption_lost(c->interruption);
	sse_finish(&c->sse);
	delivery_lost(c->delivery, why);
	if (followed)
		talk_lost(c->talk);
	later(c, AGAIN_MS, client_look);
}

bool client_trusted(void *ctx)
{
	struct client *c = ctx;

	return listener_holds(c->pid, &c->listener);
}

static void fail(struct client *c, const char *what,
		 const struct http_answer *a)
{
	char why[160];

	if (a->status == 401)
		snprintf(why, sizeof why,
			 "its server does not take the password");
	else if (a->error)
		snprintf(why, sizeof why, "%s: %s", what, a->error);
	else
		snprintf(why, sizeof why, "%s: HTTP %d", what, a->status);
	start_over(c, why);
}

static void come_up(struct client *c)
{
	client_say_state(c, true, "");
	delivery_again(c->delivery);
}

void client_synced(void *ctx, const char *what, const struct http_answer *a)
{
	struct client *c = ctx;

	if (what)
		fail(c, what, a);
	else
		come_up(c);
}

static void sync_all(struct client *c)
{
	sync_begin(c->sync);
}

/* -- the stream ------------------------------------------------------------ */

void client_event(void *ctx, const char *type, const char *data, size_t len)
{
	struct client *c = ctx;

	(void)type; /* "message": theirs is in the data */
	talk_event(c->talk, data, len);
	interruption_told(c->interruption);
}

static void on_stream(void *ctx, const char *data, size_t len)
{
	struct client *c = ctx;

	if (len == 0)
		later(c, 0, sync_all); /* no request from in here */
	else
		sse_feed(&c->sse, data, len);
}

static void on_stream_end(void *ctx, const struct http_answer *a)
{
	struct client *c = ctx;

	fail(c, "its stream of events ended", a);
}

static void on_probed(void *ctx, const struct http_answer *a)
{
	struct client *c = ctx;
	struct http_ask stream = {.path = "/event",
				  .timeout_ms = SILENCE_MS,
				  .ctx = c,
				  .done = on_stream_end,
				  .data = on_stream};

	if (a->status == 200)
		c->stream = http_start(c->http, &stream);
	else
		fail(c, silent, a);
}

static void probe(struct client *c,
		  void (*done)(void *ctx, const struct http_answer *a))
{
	struct http_ask ask = {.path = "/session/status",
			       .max = PROBE_MAX,
			       .timeout_ms = PROBE_MS,
			       .ctx = c,
			       .done = done};

	http_start(c->http, &ask);
}

void client_look(struct client *c)
{
	struct listener found[16];
	size_t n = listener_find(c->pid, found, 16), i = 0;

	while (i < n && found[i].port != c->listener.port)
		i++;
	if (i == n) {
		client_say_state(c, false, "its server is not there");
		later(c, c->look_ms, client_look);
		c->look_ms +=
		    c->look_ms < LOOK_MAX_MS ? CLIENT_LOOK_MS / 10 : 0;
		return;
	}
	c->look_ms = CLIENT_LOOK_MS;
	c->listener = found[i];
	http_port(c->http, c->listener.port);
	probe(c, on_probed);
}

/* -- silence --------------------------------------------------------------- */

static void probe_again(struct client *c);

static void on_probed_again(void *ctx, const struct http_answer *a)
{
	struct client *c = ctx;

	if (a->status == 200)
		come_up(c);
	else if (a->status == 0 && a->sent)
		later(c, AGAIN_MS, probe_again);
	else
		fail(c, silent, a);
}

static void probe_again(struct client *c)
{
	probe(c, on_probed_again);
}

void client_silent(void *ctx, const char *why)
{
	struct client *c = ctx;
	char text[160];

	if (!c->up)
		return; /* it is being looked for */
	snprintf(text, sizeof text, "%s: %s", silent, why);
	client_say_state(c, false, text);
	delivery_lost(c->delivery, text);
	probe_again(c);
}
