/*
 * consent.c - one question of a tool to the user, until it is answered, the
 * agent is given something else to do, or the harness ends.
 */
#include "supervisor/approval/consent.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "activity/question.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/random.h"
#include "base/utf8.h"
#include "supervisor/monitor/monitor.h"
#include "supervisor/part.h"
#include "wire/consent.h"

struct consent {
	char *text; /* NULL: there is no question */
	char id[QUESTION_ID_SIZE];
	int64_t since; /* monotonic ms: when it was first asked */
	int socket;    /* of the tool that waits; -1: none waits */
	char answer;   /* CONSENT_YES, CONSENT_NO; 0: none yet */
};

static bool is_up(const struct consent *c)
{
	return c->text && !c->answer;
}

const char *consent_question(const struct supervisor *sv)
{
	return is_up(sv->consent) ? sv->consent->text : NULL;
}

static void reset_question(struct consent *c)
{
	free(c->text);
	*c = (struct consent){.socket = -1};
}

/* A tool that does not read the answer has exited, or stops waiting and asks
 * again. */
static void send_answer(int socket, char answer)
{
	(void)!send(socket, &answer, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static cJSON *make_event(const char *id, const char *text)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "question_id", id);
	json_set_str(o, "question", text);
	return o;
}

/* Publishes that the question has appeared or is over. */
static void publish_question(struct supervisor *sv)
{
	const struct consent *c = sv->consent;

	if (is_up(c))
		publish_event(sv, "question", make_event(c->id, c->text));
	publish_soon(sv);
	monitor_update(sv);
}

static cJSON *publish_answer(struct supervisor *sv, const char *id,
			     const char *text, char answer, const char *rule)
{
	cJSON *o = make_event(id, text);

	json_set_str(o, "answer", answer == CONSENT_YES ? "approve" : "deny");
	json_set_str(o, "rule", rule);
	json_set_str(o, "receipt", "answered");
	publish_event(sv, "answer", cJSON_Duplicate(o, 1));
	return o;
}

/* Returns whether this is the question that was asked before; then continues
 * it. */
static bool resume_question(struct supervisor *sv, int socket, const char *text)
{
	struct consent *c = sv->consent;

	if (!c->text || strcmp(c->text, text) != 0 || c->socket >= 0)
		return false;
	if (c->answer) {
		send_answer(socket, c->answer);
		reset_question(c);
	} else {
		c->socket = socket;
	}
	return true;
}

void consent_request(struct supervisor *sv, int socket, const char *text,
		     const cJSON *rule)
{
	const char *decision = json_str_or(rule, "decision", "ask");
	struct consent *c = sv->consent;

	if (strcmp(decision, "ask") != 0) {
		char answer =
		    strcmp(decision, "allow") == 0 ? CONSENT_YES : CONSENT_NO;

		send_answer(socket, answer);
		cJSON_Delete(publish_answer(sv, NULL, text, answer,
					    json_str_or(rule, "name", "")));
	} else if (is_up(c) && c->socket >= 0) {
		send_answer(socket, CONSENT_BUSY);
	} else if (!resume_question(sv, socket, text)) {
		reset_question(c);
		c->text = mem_strdup(text);
		c->socket = socket;
		c->since = clock_mono_ms();
		random_hex(c->id, QUESTION_ID_SIZE - 1);
		publish_question(sv);
	}
}

void consent_withdraw(struct supervisor *sv, int socket)
{
	if (sv->consent->socket == socket)
		sv->consent->socket = -1;
}

cJSON *consent_answer(struct supervisor *sv, const char *id, bool approve)
{
	struct consent *c = sv->consent;
	char answer = approve ? CONSENT_YES : CONSENT_NO;
	cJSON *event;

	if (!is_up(c) || (*id ? strcmp(id, c->id) != 0 : sv->question.up))
		return NULL;
	event = publish_answer(sv, c->id, c->text, answer, NULL);
	if (c->socket >= 0) {
		send_answer(c->socket, answer);
		reset_question(c);
	} else {
		c->answer = answer;
		json_set_str(event, "detail",
			     "the agent gets the answer when it asks again");
	}
	publish_question(sv);
	publish_now(sv);
	return event;
}

static int consent_init(struct supervisor *sv, struct err *err)
{
	sv->consent->socket = -1;
	return 0;
}

#define MORE "..."

/* Copies as much of the question as fits in a list's line; "..." shows that
 * there is more. */
static void shorten_question(char shown[READING_TEXT], const char *text)
{
	size_t len = strlen(text);

	if (len < READING_TEXT) {
		memcpy(shown, text, len + 1);
		return;
	}
	len = utf8_whole(text, READING_TEXT - sizeof MORE);
	memcpy(shown, text, len);
	memcpy(shown + len, MORE, sizeof MORE);
}

/* Reports the agent as waiting for the user, unless its screen asks something
 * itself. */
static void consent_refine(struct supervisor *sv, struct verdict *v)
{
	const char *text = consent_question(sv);

	if (!text || v->question)
		return;
	v->activity = ACTIVITY_WAITING_FOR_INPUT;
	v->source = SOURCE_TOOL;
	v->since = sv->consent->since;
	v->hook_may_answer = false;
	shorten_question(v->detail, text);
}

static void consent_state(struct supervisor *sv)
{
	const char *text = consent_question(sv);
	char shown[READING_TEXT];

	if (sv->question.up)
		return;
	shorten_question(shown, text ? text : "");
	mem_set(&sv->state.question, text ? shown : NULL);
	mem_set(&sv->state.question_id, text ? sv->consent->id : NULL);
}

/* Ends the question when the user gives the agent something else to do. */
static void consent_acted(struct supervisor *sv, enum act what, unsigned keys)
{
	struct consent *c = sv->consent;

	if (is_up(c) && c->socket < 0) {
		reset_question(c);
		publish_question(sv);
	}
}

static void end_question(struct supervisor *sv)
{
	reset_question(sv->consent);
}

static void consent_end(struct supervisor *sv, const char *reason)
{
	reset_question(sv->consent);
}

const struct part consent_part = {
    .own = PART_OWN(consent),
    .init = consent_init,
    .refine = consent_refine,
    .acted = consent_acted,
    .state = consent_state,
    .end = consent_end,
    .finish = end_question,
};
