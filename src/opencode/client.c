/*
 * client.c - between the supervisor's frames and OpenCode's server: what is
 * told goes up, what is asked goes to the part that does it.
 */
#include "opencode/client.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "opencode/client_internal.h"

#define USER "opencode"

/* -- to the supervisor ----------------------------------------------------- */

/* Takes o. */
static void say(struct client *c, cJSON *o)
{
	struct err err;

	/* Who does not read any more has no use for us. */
	if (channel_say(c->channel, o, &err) < 0)
		loop_quit(c->loop);
	cJSON_Delete(o);
}

void client_say_state(struct client *c, bool up, const char *why)
{
	cJSON *o;

	if (c->up == up && strcmp(c->why, why) == 0)
		return;
	c->up = up;
	snprintf(c->why, sizeof c->why, "%s", why);
	o = cJSON_CreateObject();
	json_set_str(o, "event", "state");
	json_set_bool(o, "up", up);
	json_set_str(o, "why", why);
	say(c, o);
}

static void on_told(void *ctx, cJSON *o)
{
	say(ctx, o);
}

static void on_receipt(void *ctx, int64_t id, const char *receipt,
		       const char *detail)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "event", "sent");
	json_set_int(o, "id", id);
	json_set_str(o, "receipt", receipt);
	json_set_str(o, "detail", detail);
	say(ctx, o);
}

/* -- from the supervisor --------------------------------------------------- */

static bool on_took(void *ctx, const char *message)
{
	struct client *c = ctx;

	return delivery_took(c->delivery, message);
}

static void on_refused(void *ctx, const char *why)
{
	struct client *c = ctx;

	delivery_refused(c->delivery, why);
}

static void on_doubt(void *ctx)
{
	struct client *c = ctx;

	sync_doubt(c->sync);
}

static bool on_left(void *ctx, const char *message)
{
	struct client *c = ctx;

	return delivery_left(c->delivery, message);
}

static void on_interrupted(void *ctx, bool ok);

static void begin_parts(struct client *c, const cJSON *options)
{
	struct talk_events events = {.ctx = c,
				     .told = on_told,
				     .took = on_took,
				     .refused = on_refused,
				     .doubt = on_doubt,
				     .left = on_left};
	struct delivery_owner owner = {.ctx = c,
				       .loop = c->loop,
				       .http = c->http,
				       .silent = client_silent,
				       .receipt = on_receipt};
	struct sync_owner sync = {
	    .ctx = c, .loop = c->loop, .http = c->http, .over = client_synced};
	const char *conversation = json_str_or(options, "conversation", "");

	c->talk = owner.talk = talk_create(&events);
	c->delivery = delivery_create(&owner);
	c->interruption =
	    interruption_create(c->loop, c->http, c->talk, on_interrupted, c);
	delivery_defaults(c->delivery, json_str(options, "agent"),
			  json_str(options, "model"));
	talk_set_conversation(c->talk, conversation);
	sync.delivery = c->delivery;
	sync.talk = c->talk;
	c->sync = sync_create(&sync);
	if (json_bool(options, "last", false))
		sync_last(c->sync, json_str(options, "directory"));
}

static void begin(struct client *c, const cJSON *o)
{
	const cJSON *options = cJSON_GetObjectItemCaseSensitive(o, "options");
	int64_t port = json_int(options, "port", 0);
	struct http_owner owner = {.ctx = c, .trusted = client_trusted};
	struct err err;

	c->pid = (pid_t)json_int(o, "pid", 0);
	c->listener.port = (uint16_t)port;
	if (c->pid > 0 && port > 0 && port <= UINT16_MAX)
		c->http =
		    http_create(c->loop, &owner, USER,
				json_str_or(options, "password", ""), &err);
	if (!c->http) {
		loop_quit(c->loop);
		return;
	}
	begin_parts(c, options);
	c->sse = (struct sse){.fn = client_event, .ctx = c};
	client_look(c);
}

static void send_text(struct client *c, const cJSON *o)
{
	int64_t id = json_int(o, "id", 0);

	if (!c->up) {
		on_receipt(c, id, "unsent", c->why);
		return;
	}
	interruption_forget(c->interruption);
	delivery_start(c->delivery, id, json_str_or(o, "text", ""),
		       json_str_or(o, "mode", ""));
}

static void on_interrupted(void *ctx, bool ok)
{
	struct client *c = ctx;
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "event", "interrupted");
	json_set_bool(o, "ok", ok);
	say(c, o);
}

static void interrupt(struct client *c)
{
	if (c->up)
		interruption_start(c->interruption);
	else
		on_interrupted(c, false);
}

static void on_frame(void *ctx, const cJSON *o)
{
	struct client *c = ctx;
	const char *op = json_str_or(o, "op", "");

	if (strcmp(op, "begin") == 0 && !c->http)
		begin(c, o);
	else if (strcmp(op, "send") == 0 && c->http)
		send_text(c, o);
	else if (strcmp(op, "interrupt") == 0 && c->http)
		interrupt(c);
}

static void on_ended(void *ctx, const char *why)
{
	struct client *c = ctx;

	(void)why;
	loop_quit(c->loop);
}

/* -- life ------------------------------------------------------------------ */

static void finish(struct client *c)
{
	sync_destroy(c->sync);
	delivery_destroy(c->delivery);
	interruption_destroy(c->interruption);
	http_destroy(c->http);
	talk_destroy(c->talk);
	sse_finish(&c->sse);
	channel_destroy(c->channel);
	loop_destroy(c->loop);
}

int client_run(int fd)
{
	struct client c = {.look_ms = CLIENT_LOOK_MS};
	struct channel_owner owner = {
	    .ctx = &c, .frame = on_frame, .ended = on_ended};

	c.loop = loop_create();
	c.channel = channel_create(c.loop, fd, &owner);
	c.timer = loop_timer_add(c.loop, client_due, &c);
	loop_run(c.loop);
	finish(&c);
	return 0;
}
