/*
 * delivery.c - a message's way: a conversation, the screen turned to it, the
 * message, its coming back.
 *
 * Up to the last request nothing is at stake: where one of those before is not
 * answered the message goes back. The message is posted once. Whether it
 * arrived although its answer did not is asked by its name, where the server
 * does not answer when it does again.
 *
 * One that has arrived and is left unanswered is asked for by its name alone.
 */
#include "opencode/delivery.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "opencode/agents.h"
#include "opencode/body.h"
#include "opencode/message_id.h"

#define ANSWER_MS  5000	 /* of a small request */
#define POST_MS	   20000 /* of the message: it may be a MiB */
#define COME_MS	   10000 /* from the message's answer to its event */
#define LOOKS	   5	 /* for a message that is not there yet, … */
#define LOOK_MS	   1000	 /* … with so much between them */
#define ANSWER_MAX ((size_t)64 * 1024)
#define PATH	   256
#define WORD	   200

struct delivery {
	struct delivery_owner o;
	struct agents agents;

	/* The one under way. */
	int64_t id; /* 0: none */
	char *text, *mode;
	char message[MESSAGE_ID_SIZE];
	int looks;
	char why[WORD]; /* it may have come to nothing; or "" */
	bool remade;	/* the conversation was gone */
	bool posted;	/* the message has left, or may have */
	bool submitted; /* that was told */
	struct http_request *request;
	struct loop_timer *timer;

	char *bare; /* the last one that was posted, without its text */
	struct http_request *asking; /* for that to be answered */
};

static void over(struct delivery *d, const char *receipt, const char *detail)
{
	int64_t id = d->id;

	if (!id)
		return;
	d->id = 0;
	free(d->text);
	free(d->mode);
	d->text = d->mode = NULL;
	loop_timer_stop(d->timer);
	d->o.receipt(d->o.ctx, id, receipt, detail);
}

/* Nothing has left. */
static void unsent(struct delivery *d, const char *why)
{
	char detail[2 * WORD];

	d->posted = false;
	snprintf(detail, sizeof detail, "%.300s", why);
	over(d, "unsent", detail);
}

/* No answer came: who hears "unsent" knows by then that no other will. */
static void unanswered(struct delivery *d, const struct http_answer *a)
{
	http_cancel(d->asking);
	d->asking = NULL;
	d->o.silent(d->o.ctx, a->error ? a->error : "no answer");
}

static void ask(struct delivery *d, const char *path, const char *body,
		int64_t timeout_ms,
		void (*done)(void *ctx, const struct http_answer *a))
{
	struct http_ask a = {.path = path,
			     .body = body,
			     .max = ANSWER_MAX,
			     .timeout_ms = timeout_ms,
			     .ctx = d,
			     .done = done};

	d->request = http_start(d->o.http, &a);
}

/* What the server says of its refusal, in a line. */
static void say_refusal(char *out, size_t size, const struct http_answer *a)
{
	cJSON *o = body_object(a->body, a->len);
	const cJSON *data = cJSON_GetObjectItemCaseSensitive(o, "data");
	const char *why = json_str(data, "message");
	char words[WORD];

	if (!why)
		why = json_str_or(o, "name", "");
	utf8_printable(words, sizeof words, why, strlen(why));
	snprintf(out, size, "its server refused it (HTTP %d)%s%s", a->status,
		 words[0] ? ": " : "", words);
	cJSON_Delete(o);
}

/* -- did it come? ---------------------------------------------------------- */

static void never_came(struct delivery *d)
{
	char detail[2 * WORD];

	if (d->why[0]) {
		snprintf(detail, sizeof detail, "it was not taken: %s", d->why);
		over(d, "failed", detail);
	} else {
		over(d, "unconfirmed", "posted, but it is in no conversation");
	}
}

/* What was posted to a server that does not answer may still be read by it,
 * or be on its way into the conversation. */
static void on_looked(void *ctx, const struct http_answer *a)
{
	struct delivery *d = ctx;

	d->request = NULL;
	if (!d->id)
		return; /* its event was faster */
	if (a->status == 200)
		over(d, "accepted", "confirmed by its server");
	else if (a->status == 0)
		unanswered(d, a);
	else if (++d->looks < LOOKS)
		loop_timer_set(d->timer, LOOK_MS);
	else
		never_came(d);
}

static void look_for_it(struct delivery *d)
{
	char path[PATH];

	snprintf(path, sizeof path, "/session/%s/message/%s",
		 talk_conversation(d->o.talk), d->message);
	ask(d, path, NULL, ANSWER_MS, on_looked);
}

static void on_timer(void *ctx)
{
	struct delivery *d = ctx;

	if (d->id && !d->request)
		look_for_it(d);
}

void delivery_again(struct delivery *d)
{
	if (d->id && d->posted && !d->request)
		look_for_it(d);
}

static void submitted(struct delivery *d)
{
	if (d->submitted)
		return;
	d->submitted = true;
	d->o.receipt(d->o.ctx, d->id, "submitted", "");
}

bool delivery_took(struct delivery *d, const char *message)
{
	if (strcmp(message, d->message) != 0)
		return false;
	if (d->id && d->posted) {
		submitted(d);
		over(d, "accepted", "confirmed by events");
	}
	return true;
}

void delivery_refused(struct delivery *d, const char *why)
{
	if (!d->id || !d->posted)
		return;
	snprintf(d->why, sizeof d->why, "%s", why);
	/* Not all errors mean that. And no request from in here. */
	if (!d->request)
		loop_timer_set(d->timer, 0);
}

void delivery_lost(struct delivery *d, const char *why)
{
	d->request = d->asking = NULL;
	loop_timer_stop(d->timer);
	if (!d->posted)
		unsent(d, why);
}

/* -- the message ----------------------------------------------------------- */

static void on_posted(void *ctx, const struct http_answer *a)
{
	struct delivery *d = ctx;
	char detail[2 * WORD];

	d->request = NULL;
	if (!d->id)
		return; /* its event was faster */
	if (a->status == 0) {
		d->posted = a->sent;
		if (a->sent)
			submitted(d);
		unanswered(d, a);
	} else if (a->status >= 300) {
		say_refusal(detail, sizeof detail, a);
		over(d, "failed", detail);
	} else {
		submitted(d);
		loop_timer_set(d->timer, d->why[0] ? 0 : COME_MS);
	}
}

static void post_path(const struct delivery *d, char out[PATH])
{
	snprintf(out, PATH, "/session/%s/prompt_async",
		 talk_conversation(d->o.talk));
}

static void post(struct delivery *d)
{
	cJSON *o = cJSON_CreateObject(), *part = cJSON_CreateObject();
	cJSON *parts;
	struct buf body = {0};
	char path[PATH];

	message_id(clock_wall_ms(), d->message);
	json_set_str(o, "messageID", d->message);
	agents_choose(&d->agents, d->mode, talk_choice(d->o.talk), o);
	parts = json_set_array(o, "parts");
	json_print(o, &body);
	free(d->bare);
	d->bare = mem_strdup(body.data);
	buf_clear(&body);
	json_set_str(part, "type", "text");
	json_set_str(part, "text", d->text);
	cJSON_AddItemToArray(parts, part);
	json_print(o, &body);
	cJSON_Delete(o);
	post_path(d, path);
	d->posted = true;
	ask(d, path, body.data, POST_MS, on_posted);
	buf_finish(&body);
}

/* What comes of it is seen: the turn begins, or the next doubt asks again. */
static void on_asked_for(void *ctx, const struct http_answer *a)
{
	struct delivery *d = ctx;

	(void)a;
	d->asking = NULL;
}

bool delivery_left(struct delivery *d, const char *message)
{
	struct http_ask a = {.max = ANSWER_MAX,
			     .timeout_ms = ANSWER_MS,
			     .ctx = d,
			     .done = on_asked_for};
	char path[PATH];

	if (!d->bare || strcmp(message, d->message) != 0)
		return false;
	if (d->asking)
		return true;
	post_path(d, path);
	a.path = path;
	a.body = d->bare;
	d->asking = http_start(d->o.http, &a);
	return true;
}

/* -- before it ------------------------------------------------------------- */

static void make_one(struct delivery *d);

static void not_done(struct delivery *d, const struct http_answer *a)
{
	char detail[2 * WORD];

	if (a->status == 0) {
		unanswered(d, a);
	} else {
		say_refusal(detail, sizeof detail, a);
		over(d, "failed", detail);
	}
}

/* The user has deleted the one before. */
static void make_another(struct delivery *d)
{
	d->remade = true;
	talk_conversation_gone(d->o.talk);
	make_one(d);
}

static void on_selected(void *ctx, const struct http_answer *a)
{
	struct delivery *d = ctx;

	d->request = NULL;
	if (a->status >= 200 && a->status < 300)
		post(d);
	else if (a->status == 404 && !d->remade)
		make_another(d);
	else
		not_done(d, a);
}

/* The user is to see what is answered, and asked. */
static void select_it(struct delivery *d)
{
	char body[PATH];

	snprintf(body, sizeof body, "{\"sessionID\":\"%s\"}",
		 talk_conversation(d->o.talk));
	ask(d, "/tui/select-session", body, ANSWER_MS, on_selected);
}

static void on_made(void *ctx, const struct http_answer *a)
{
	struct delivery *d = ctx;
	cJSON *o = body_object(a->body, a->len);
	const char *id = json_str(o, "id");

	d->request = NULL;
	if (a->status == 200 && talk_id_ok(id)) {
		talk_set_conversation(d->o.talk, id);
		select_it(d);
	} else if (a->status == 200) {
		over(d, "failed", "its server made no conversation");
	} else {
		not_done(d, a);
	}
	cJSON_Delete(o);
}

static void make_one(struct delivery *d)
{
	ask(d, "/session", "{}", ANSWER_MS, on_made);
}

void delivery_start(struct delivery *d, int64_t id, const char *text,
		    const char *mode)
{
	http_cancel(d->request); /* of one whose event was faster */
	d->request = NULL;
	/* by the supervisor, if so */
	over(d, "unconfirmed", "it was given up");
	d->id = id;
	d->text = mem_strdup(text);
	d->mode = mem_strdup(mode);
	d->looks = 0;
	d->why[0] = '\0';
	d->posted = d->submitted = d->remade = false;
	if (talk_conversation(d->o.talk)[0])
		select_it(d);
	else
		make_one(d);
}

/* -- life ------------------------------------------------------------------ */

void delivery_defaults(struct delivery *d, const char *agent,
		       const char *model)
{
	agents_defaults(&d->agents, agent, model);
}

void delivery_agents(struct delivery *d, const cJSON *agents)
{
	agents_keep(&d->agents, agents);
}

struct delivery *delivery_create(const struct delivery_owner *owner)
{
	struct delivery *d = mem_alloc(sizeof *d);

	d->o = *owner;
	d->timer = loop_timer_add(owner->loop, on_timer, d);
	return d;
}

void delivery_destroy(struct delivery *d)
{
	if (!d)
		return;
	http_cancel(d->request);
	http_cancel(d->asking);
	loop_timer_remove(d->timer);
	agents_finish(&d->agents);
	free(d->text);
	free(d->mode);
	free(d->bare);
	free(d);
}
