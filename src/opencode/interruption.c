/*
 * interruption.c - first a "no" to all that is asked, one by one, for
 * OpenCode's screen goes on to show a question whose turn is aborted under
 * it. Then the turn.
 *
 * The server answers an abort that it forgets: one that comes before the turn
 * works, or while it is too busy to answer in time. So only the turn's end
 * counts: until that is told it is asked again.
 */
#include "opencode/interruption.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/loop.h"
#include "base/mem.h"

#define ANSWER_MS  3000
#define AGAIN_MS   1000	 /* from an answer to the next try */
#define INSIST_MS  15000 /* so long is it asked again */
#define ANSWER_MAX ((size_t)64 * 1024)

struct interruption {
	struct http *http;
	struct talk *talk;
	void (*over)(void *ctx, bool ok);
	void *ctx;
	struct http_request *request; /* NULL: none is under way */
	struct strv asked;	      /* when it began */
	size_t refused;		      /* so many of them */
	bool aborted;
	bool told; /* over was called for this start */

	/* After the first try. */
	struct loop_timer *timer;
	int64_t insist_until; /* 0: the turn is over, or nobody's to end */
	bool early;	      /* it had not worked yet */
	size_t messages;      /* had come: another one is another turn */
};

static void next(struct interruption *i);

/* Of one try; the first one's is told. */
static void end(struct interruption *i, bool ok)
{
	i->request = NULL;
	strv_finish(&i->asked);
	if (i->insist_until)
		loop_timer_set(i->timer, AGAIN_MS);
	if (i->told)
		return;
	i->told = true;
	i->over(i->ctx, ok);
}

/* Whether the turn still is the one to end, and has not ended. */
static bool insists(struct interruption *i)
{
	if (clock_mono_ms() >= i->insist_until || talk_ended(i->talk) ||
	    talk_messages(i->talk) != i->messages)
		i->insist_until = 0;
	return i->insist_until != 0;
}

/* Answers take seconds where it is slow, and turns end meanwhile. */
static bool is_over(struct interruption *i)
{
	return i->told ? !insists(i) : talk_messages(i->talk) != i->messages;
}

static void on_answer(void *ctx, const struct http_answer *a)
{
	struct interruption *i = ctx;

	i->request = NULL;
	/* 404: somebody has answered it meanwhile. */
	if (a->status == 0 || (a->status >= 300 && a->status != 404))
		end(i, false);
	else if (is_over(i))
		end(i, true);
	else
		next(i);
}

static void ask(struct interruption *i, const char *path, const char *body)
{
	struct http_ask a = {.path = path,
			     .body = body,
			     .max = ANSWER_MAX,
			     .timeout_ms = ANSWER_MS,
			     .ctx = i,
			     .done = on_answer};

	i->request = http_start(i->http, &a);
}

static void next(struct interruption *i)
{
	char path[160];

	if (i->refused < i->asked.n) {
		const char *id = i->asked.v[i->refused++];

		if (strncmp(id, "que_", 4) == 0)
			snprintf(path, sizeof path, "/question/%s/reject", id);
		else
			snprintf(path, sizeof path, "/permission/%s/reply", id);
		ask(i, path, "{\"reply\":\"reject\"}");
	} else if (!i->aborted && talk_conversation(i->talk)[0]) {
		i->aborted = true;
		snprintf(path, sizeof path, "/session/%s/abort",
			 talk_conversation(i->talk));
		ask(i, path, "{}");
	} else {
		end(i, true);
	}
}

static void try_to(struct interruption *i)
{
	const char *id;

	i->refused = 0;
	i->aborted = false;
	for (size_t n = 0; (id = talk_question(i->talk, n)); n++)
		strv_add(&i->asked, id);
	next(i);
}

void interruption_start(struct interruption *i)
{
	bool works = talk_works(i->talk) || talk_question(i->talk, 0);

	i->told = false;
	i->early = talk_begins(i->talk);
	if (works)
		talk_stop(i->talk);
	i->messages = talk_messages(i->talk);
	i->insist_until = works ? clock_mono_ms() + INSIST_MS : 0;
	if (i->request)
		return; /* its answer is this one's, too */
	if (works)
		try_to(i);
	else
		end(i, false);
}

void interruption_told(struct interruption *i)
{
	if (!i->insist_until || !insists(i) || !i->early ||
	    talk_begins(i->talk))
		return;
	i->early = false;
	/* Not from within what the stream has called. */
	if (!i->request)
		loop_timer_set(i->timer, 0);
}

static void on_timer(void *ctx)
{
	struct interruption *i = ctx;

	if (i->request || !i->insist_until || !insists(i))
		return;
	try_to(i);
}

void interruption_forget(struct interruption *i)
{
	i->insist_until = 0;
}

void interruption_lost(struct interruption *i)
{
	if (!i)
		return;
	i->insist_until = 0; /* nobody tells any more whose turn it is */
	if (i->request)
		end(i, false);
}

struct interruption *interruption_create(struct loop *loop, struct http *http,
					 struct talk *talk,
					 void (*over)(void *ctx, bool ok),
					 void *ctx)
{
	struct interruption *i = mem_alloc(sizeof *i);

	i->timer = loop_timer_add(loop, on_timer, i);
	i->http = http;
	i->talk = talk;
	i->over = over;
	i->ctx = ctx;
	return i;
}

void interruption_destroy(struct interruption *i)
{
	if (!i)
		return;
	loop_timer_remove(i->timer);
	http_cancel(i->request);
	strv_finish(&i->asked);
	free(i);
}
