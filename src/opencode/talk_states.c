/* talk_states.c - what is so by the server's answers, not by its events. */
#include "opencode/talk_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

#define DOUBTS_MAX 3
#define ASKS_MAX   3 /* for a message that was left, each time so many doubts */
#define TEXT_MAX   10 /* doubts until its text is there */

void talk_mark(struct talk *t)
{
	t->heard.n = 0;
}

/* Who works, but for those that an event has told of since. */
static void take_busy(struct talk *t, const cJSON *states)
{
	const cJSON *s;

	for (size_t i = t->busy.n; i-- > 0;)
		if (!ids_has(&t->heard, t->busy.v[i]))
			ids_remove(&t->busy, t->busy.v[i]);
	cJSON_ArrayForEach(s, states)
	{
		if (talk_id_ok(s->string) &&
		    !ids_has(&t->heard, s->string) &&
		    !ids_has(&t->children, s->string) &&
		    strcmp(json_str_or(s, "type", "idle"), "idle") != 0)
			ids_add(&t->busy, s->string);
	}
}

/* Whether the turn of the newest message may yet begin. */
static bool may_begin(struct talk *t)
{
	/* Not before its text is there: that would be answered without it. */
	if (t->doubts % DOUBTS_MAX == 0)
		t->asked_for = !t->stopped && !t->fresh[0] &&
			       t->ev.left(t->ev.ctx, t->message);
	t->doubts++;
	if (t->doubts < (t->asked_for			? ASKS_MAX * DOUBTS_MAX
			 : t->fresh[0] && !t->stopped	? TEXT_MAX
							: DOUBTS_MAX))
		return true;
	if (t->stopped) {
		t->interrupted = true;
	} else if (t->asked_for && !t->error[0]) {
		t->failed = true;
		snprintf(t->error, sizeof t->error,
			 "it took the message and does not answer it");
	}
	return false;
}

void talk_states(struct talk *t, const cJSON *states)
{
	bool was = ids_has(&t->busy, t->conversation), works;
	bool heard = ids_has(&t->heard, t->conversation);

	take_busy(t, states);
	works = ids_has(&t->busy, t->conversation);
	if (works)
		talk_begun(t);
	if (t->busy.n == 0)
		t->questions.n = 0;
	/* It is about to begin; an answer from before that says nothing. */
	if (!works && t->begun && (heard || may_begin(t)))
		t->ev.doubt(t->ev.ctx);
	else if (!works && (was || t->begun))
		talk_turn_ended(t);
	else
		talk_look(t);
}

/* Those of the list, but for one that was answered since. */
static void take_asked(const struct talk *t, struct questions *to,
		       const cJSON *list)
{
	const cJSON *p;

	cJSON_ArrayForEach(p, list)
	{
		const char *id = json_str_or(p, "id", "");

		if (!ids_has(&t->heard, id) ||
		    questions_has(&t->questions, id))
			questions_add(to, p);
	}
}

void talk_asked(struct talk *t, const cJSON *permissions,
		const cJSON *questions)
{
	struct questions now = {0};

	/* Who rests asks nothing: the lists are older than that. */
	if (t->busy.n > 0) {
		take_asked(t, &now, permissions);
		take_asked(t, &now, questions);
		for (size_t i = 0; i < t->questions.n; i++)
			if (ids_has(&t->heard, t->questions.v[i].id))
				questions_put(&now, &t->questions.v[i]);
	}
	t->questions = now;
	talk_look(t);
}

void talk_lost(struct talk *t)
{
	cJSON *o = cJSON_CreateObject();

	t->busy.n = 0;
	t->questions.n = 0;
	t->heard.n = 0;
	t->fresh[0] = '\0';
	t->ended = false; /* but what had not begun may yet have been left */
	free(t->last);
	t->last = NULL;
	json_set_str(o, "event", "told");
	json_set_str(o, "activity", "");
	t->ev.told(t->ev.ctx, o);
}
