/* sync.c - one question after the other. */
#include "opencode/sync.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "opencode/body.h"

#define ANSWER_MS   10000
#define ANSWER_MAX  ((size_t)4 * 1024 * 1024)
#define DOUBT_MS    1000
#define DOUBT_TRIES 3

struct sync {
	struct sync_owner o;
	struct http_request *asking;
	size_t at; /* in the list of what is asked */
	bool over; /* all of it was answered */
	cJSON *permissions, *questions;
	char *directory; /* with "last": whose last conversation */
	bool last;

	struct http_request *doubt;
	struct loop_timer *doubt_timer;
	int failures; /* to answer it */
};

static struct http_request *ask(struct sync *s, const char *path,
				void (*done)(void *ctx,
					     const struct http_answer *a))
{
	struct http_ask a = {.path = path,
			     .max = ANSWER_MAX,
			     .timeout_ms = ANSWER_MS,
			     .ctx = s,
			     .done = done};

	return http_start(s->o.http, &a);
}

static const cJSON *value(const cJSON *o)
{
	return cJSON_GetObjectItemCaseSensitive(o, "v");
}

/* {"v": the answer}; NULL where there is none that is a list, or an object. */
static cJSON *answer_read(const struct http_answer *a, bool list)
{
	struct buf text = {0};
	cJSON *o;

	if (a->status != 200 || a->error)
		return NULL;
	buf_adds(&text, "{\"v\":");
	buf_add(&text, a->body, a->len);
	buf_addc(&text, '}');
	o = body_object(text.data, text.len);
	buf_finish(&text);
	if (o && (list ? cJSON_IsArray(value(o)) : cJSON_IsObject(value(o))))
		return o;
	cJSON_Delete(o);
	return NULL;
}

/* -- all of it ------------------------------------------------------------- */

static void got_permissions(struct sync *s, cJSON *o)
{
	cJSON_Delete(s->permissions);
	s->permissions = cJSON_Duplicate(value(o), 1);
}

static void got_questions(struct sync *s, cJSON *o)
{
	cJSON_Delete(s->questions);
	s->questions = cJSON_Duplicate(value(o), 1);
}

static void got_agents(struct sync *s, cJSON *o)
{
	delivery_agents(s->o.delivery, value(o));
}

/* What --continue takes up: of this directory, the one used last. */
static void got_sessions(struct sync *s, cJSON *o)
{
	const cJSON *c, *best = NULL;
	double newest = -1;

	cJSON_ArrayForEach(c, value(o))
	{
		const cJSON *time = cJSON_GetObjectItemCaseSensitive(c, "time");
		const cJSON *at =
		    cJSON_GetObjectItemCaseSensitive(time, "updated");

		if (json_str(c, "parentID") || !cJSON_IsNumber(at) ||
		    at->valuedouble <= newest ||
		    strcmp(json_str_or(c, "directory", ""), s->directory) != 0)
			continue;
		newest = at->valuedouble;
		best = c;
	}
	if (s->last && best && !talk_conversation(s->o.talk)[0])
		talk_set_conversation(s->o.talk, json_str_or(best, "id", ""));
	s->last = false;
}

static void got_states(struct sync *s, cJSON *o)
{
	talk_states(s->o.talk, value(o));
	talk_asked(s->o.talk, s->permissions, s->questions);
}

/* In this order: who asks must be known to be busy when it is said. */
static const struct {
	const char *path;
	void (*got)(struct sync *s, cJSON *o);
	bool needed, list;
} questions[] = {
    {"/agent", got_agents, false, true},
    {"/session", got_sessions, false, true},
    {"/permission", got_permissions, true, true},
    {"/question", got_questions, true, true},
    {"/session/status", got_states, true, false},
};

static void next(struct sync *s);

static void fail(struct sync *s, const struct http_answer *a)
{
	struct http_answer bad = *a;

	if (a->status == 200 && !a->error)
		bad.error = questions[s->at].list
				? "what it sent is no JSON list"
				: "what it sent is no JSON object";
	s->o.over(s->o.ctx, "its server did not answer", &bad);
}

static void on_answer(void *ctx, const struct http_answer *a)
{
	struct sync *s = ctx;
	cJSON *o = answer_read(a, questions[s->at].list);

	s->asking = NULL;
	/* One that this version does not have is one that says nothing. */
	if (!o && (a->error || a->status != 404) && questions[s->at].needed) {
		fail(s, a);
		return;
	}
	questions[s->at].got(s, o);
	cJSON_Delete(o);
	s->at++;
	next(s);
}

static void next(struct sync *s)
{
	/* All of the user's conversations: only where one is looked for. */
	if (s->at == 1 && (!s->last || !s->directory))
		s->at++;
	if (s->at < sizeof questions / sizeof questions[0]) {
		s->asking = ask(s, questions[s->at].path, on_answer);
		return;
	}
	s->over = true;
	s->o.over(s->o.ctx, NULL, NULL);
}

void sync_begin(struct sync *s)
{
	s->at = 0;
	s->over = false;
	talk_mark(s->o.talk);
	next(s);
}

/* -- doubts ---------------------------------------------------------------- */

static void on_doubt_answer(void *ctx, const struct http_answer *a)
{
	struct sync *s = ctx;
	cJSON *o;

	s->doubt = NULL;
	o = answer_read(a, false);
	if (!o) {
		/* In the end the stream will tell. */
		if (++s->failures < DOUBT_TRIES)
			loop_timer_set(s->doubt_timer, DOUBT_MS);
		return;
	}
	s->failures = 0;
	talk_states(s->o.talk, value(o));
	cJSON_Delete(o);
}

static void on_doubt_timer(void *ctx)
{
	struct sync *s = ctx;

	if (!s->over || s->doubt)
		return; /* the answer raises it again, if need be */
	if (!talk_begins(s->o.talk))
		return; /* an event was faster */
	talk_mark(s->o.talk);
	s->doubt = ask(s, "/session/status", on_doubt_answer);
}

void sync_doubt(struct sync *s)
{
	s->failures = 0;
	loop_timer_set(s->doubt_timer, DOUBT_MS);
}

/* -- life ------------------------------------------------------------------ */

void sync_last(struct sync *s, const char *directory)
{
	s->last = true;
	s->directory = mem_strdup(directory);
}

void sync_lost(struct sync *s)
{
	s->asking = s->doubt = NULL;
	s->over = false;
	loop_timer_stop(s->doubt_timer);
}

struct sync *sync_create(const struct sync_owner *owner)
{
	struct sync *s = mem_alloc(sizeof *s);

	s->o = *owner;
	s->doubt_timer = loop_timer_add(owner->loop, on_doubt_timer, s);
	return s;
}

void sync_destroy(struct sync *s)
{
	if (!s)
		return;
	http_cancel(s->asking);
	http_cancel(s->doubt);
	loop_timer_remove(s->doubt_timer);
	cJSON_Delete(s->permissions);
	cJSON_Delete(s->questions);
	free(s->directory);
	free(s);
}
