/*
 * talk.c - events in, what the harness does out.
 *
 * A conversation works from "busy" to "idle"; a turn begins with a message of
 * the user's. Both "idle" events come, and after an abort twice, so only the
 * change counts; and one that comes after a message but before its "busy" is
 * of the turn before. Permissions and questions of all conversations count,
 * the children's too: the user is asked for each of them.
 *
 * A turn that fails says "idle" first and is wound up then (OpenCode 1.18:
 * git looks for what has changed, seconds in a large repository), "idle" once
 * more. A message that comes in between is taken for one of that turn's and
 * left: nobody answers it.
 */
#include "opencode/talk.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "opencode/body.h"
#include "opencode/talk_internal.h"

#define CHILDREN_MAX 256
#define BUSY_MAX     16
#define SEEN_MAX     64
#define HEARD_MAX    64

bool talk_id_ok(const char *id)
{
	size_t n = id ? strlen(id) : 0;

	if (n == 0 || n >= TALK_ID)
		return false;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)id[i]) && id[i] != '_')
			return false;
	return true;
}

static const cJSON *member(const cJSON *o, const char *name)
{
	return cJSON_GetObjectItemCaseSensitive(o, name);
}

static void keep(char *dst, size_t size, const char *text)
{
	utf8_printable(dst, size, text, strlen(text));
}

/* -- life ------------------------------------------------------------------ */

struct talk *talk_create(const struct talk_events *events)
{
	struct talk *t = mem_alloc(sizeof *t);

	t->ev = *events;
	ids_init(&t->children, CHILDREN_MAX);
	ids_init(&t->busy, BUSY_MAX);
	ids_init(&t->seen, SEEN_MAX);
	ids_init(&t->heard, HEARD_MAX);
	return t;
}

void talk_destroy(struct talk *t)
{
	if (!t)
		return;
	ids_finish(&t->children);
	ids_finish(&t->busy);
	ids_finish(&t->seen);
	ids_finish(&t->heard);
	answer_finish(&t->answer);
	choice_clear(&t->choice);
	free(t->last);
	free(t);
}

const char *talk_conversation(const struct talk *t)
{
	return t->conversation;
}

const char *talk_question(const struct talk *t, size_t i)
{
	return i < t->questions.n ? t->questions.v[i].id : NULL;
}

bool talk_works(const struct talk *t)
{
	return t->begun || ids_has(&t->busy, t->conversation);
}

bool talk_begins(const struct talk *t)
{
	return t->begun && !ids_has(&t->busy, t->conversation);
}

bool talk_ended(const struct talk *t)
{
	return t->ended;
}

void talk_stop(struct talk *t)
{
	t->stopped = true;
}

void talk_begun(struct talk *t)
{
	/* What was said of it before is of the turn before, or was wrong. */
	if (t->begun || t->asked_for || t->ended) {
		t->failed = t->interrupted = false;
		t->asked_for = t->ended = false;
		t->error[0] = '\0';
	}
	t->begun = false;
}

size_t talk_messages(const struct talk *t)
{
	return t->messages;
}

void talk_set_conversation(struct talk *t, const char *id)
{
	if (!talk_id_ok(id) || strcmp(t->conversation, id) == 0)
		return;
	snprintf(t->conversation, sizeof t->conversation, "%s", id);
	choice_clear(&t->choice);
}

const struct choice *talk_choice(const struct talk *t)
{
	return &t->choice;
}

/* -- conversations --------------------------------------------------------- */

static void on_session(struct talk *t, const cJSON *p)
{
	const cJSON *info = member(p, "info");
	const char *id = json_str(info, "id");

	/* Asked for again, what the user undoes would come back empty. */
	if (id && strcmp(id, t->conversation) == 0 &&
	    cJSON_IsObject(member(info, "revert")))
		talk_stop(t);
	if (!talk_id_ok(id) || !json_str(info, "parentID"))
		return;
	ids_add(&t->children, id);
	ids_remove(&t->busy, id);
	/* Made while nobody listened, and taken for the user's. */
	if (strcmp(id, t->conversation) == 0)
		talk_set_conversation(t, json_str(info, "parentID"));
}

void talk_conversation_gone(struct talk *t)
{
	bool worked = t->begun || ids_has(&t->busy, t->conversation);

	ids_remove(&t->busy, t->conversation);
	t->conversation[0] = '\0';
	choice_clear(&t->choice);
	if (t->busy.n == 0)
		t->questions.n = 0;
	if (worked)
		talk_turn_ended(t);
	else
		talk_look(t);
}

static void on_deleted(struct talk *t, const cJSON *p)
{
	const char *id = json_str_or(member(p, "info"), "id", "");

	if (!talk_id_ok(id))
		return;
	ids_add(&t->heard, id);
	if (strcmp(id, t->conversation) == 0)
		talk_conversation_gone(t);
	else
		ids_remove(&t->busy, id);
}

static void went_idle(struct talk *t, const char *id)
{
	bool ours = strcmp(id, t->conversation) == 0;
	bool was = ids_has(&t->busy, id);

	if (ids_has(&t->children, id))
		return;
	ids_remove(&t->busy, id);
	if (t->busy.n == 0)
		t->questions.n = 0; /* nobody is left who could ask */
	/* Its error may come before it has worked at all. */
	if (ours && t->begun && !t->error[0] && !t->interrupted) {
		if (!t->stopped) /* its aborts say "idle", too */
			t->doubts = 0;
		t->ev.doubt(t->ev.ctx);
	} else if (ours && (was || t->begun)) {
		talk_turn_ended(t);
	} else {
		talk_look(t);
	}
}

static void went_busy(struct talk *t, const char *id, const char *retry)
{
	if (ids_has(&t->children, id))
		return;
	ids_add(&t->busy, id);
	keep(t->retry, sizeof t->retry, retry);
	if (strcmp(id, t->conversation) == 0) {
		talk_begun(t);
		if (t->fresh[0])
			talk_turn_started(t, "");
	}
	talk_look(t);
}

static void on_status(struct talk *t, const char *id, const cJSON *status)
{
	const char *type = json_str_or(status, "type", "");
	char retry[TALK_TEXT + 32] = "";

	if (!talk_id_ok(id))
		return;
	ids_add(&t->heard, id);
	if (strcmp(type, "retry") == 0)
		snprintf(retry, sizeof retry, "tries again: %.*s",
			 TALK_TEXT - 1, json_str_or(status, "message", ""));
	if (strcmp(type, "idle") == 0)
		went_idle(t, id);
	else if (type[0])
		went_busy(t, id, retry);
}

static void on_error(struct talk *t, const cJSON *p)
{
	const char *id = json_str_or(p, "sessionID", "");
	const cJSON *error = member(p, "error");
	const char *name = json_str_or(error, "name", "an error");

	/* Without one it is the program's: a plugin's, a broken skill's. */
	if (!*id || strcmp(id, t->conversation) != 0)
		return;
	if (strcmp(name, "MessageAbortedError") == 0) {
		t->interrupted = true;
		if (t->ended)
			talk_look(t);
		return;
	}
	t->failed = true;
	keep(t->error, sizeof t->error,
	     json_str_or(member(error, "data"), "message", name));
	if (!ids_has(&t->busy, id))
		t->ev.refused(t->ev.ctx, t->error);
	if (t->ended)
		talk_look(t); /* one that its "idle" has overtaken */
}

/* -- messages -------------------------------------------------------------- */

static void on_message(struct talk *t, const cJSON *p)
{
	const cJSON *info = member(p, "info");
	const char *id = json_str(info, "id");
	const char *session = json_str(info, "sessionID");

	if (strcmp(json_str_or(info, "role", ""), "user") != 0 ||
	    !talk_id_ok(id) || !talk_id_ok(session) ||
	    ids_has(&t->children, session))
		return;
	/* With a summary it is an old one, seen again. */
	if (ids_has(&t->seen, id) || member(info, "summary"))
		return;
	ids_add(&t->seen, id);
	ids_add(&t->heard, session);
	talk_set_conversation(t, session);
	choice_keep(&t->choice, info);
	snprintf(t->fresh, sizeof t->fresh, "%s", id);
	snprintf(t->message, sizeof t->message, "%s", id);
	t->begun = true;
	t->messages++;
	t->doubts = 0;
	t->asked_for = t->stopped = false;
	t->ended = t->interrupted = t->failed = false;
	t->error[0] = t->retry[0] = '\0';
	answer_clear(&t->answer);
	/* A plugin's may be one that nobody is to answer. */
	if (!t->ev.took(t->ev.ctx, id))
		t->ev.doubt(t->ev.ctx);
	/* Its text, and so the turn's start, may take seconds. */
	talk_look(t);
}

static void on_removed(struct talk *t, const cJSON *p)
{
	if (strcmp(json_str_or(p, "messageID", ""), t->message) == 0)
		talk_stop(t);
}

static void on_part(struct talk *t, const cJSON *p)
{
	const cJSON *part = member(p, "part");
	const char *message = json_str(part, "messageID");
	const char *id = json_str(part, "id");
	const char *text = json_str_or(part, "text", "");

	if (strcmp(json_str_or(part, "type", ""), "text") != 0 ||
	    !talk_id_ok(message) || !talk_id_ok(id) ||
	    json_bool(part, "synthetic", false) ||
	    strcmp(json_str_or(part, "sessionID", ""), t->conversation) != 0)
		return;
	if (strcmp(message, t->fresh) == 0)
		talk_turn_started(t, text);
	else if (!t->begun && !ids_has(&t->seen, message) && *text &&
		 member(member(part, "time"), "end"))
		answer_add(&t->answer, message, id, text);
}

/* -- questions ------------------------------------------------------------- */

static void on_replied(struct talk *t, const cJSON *p)
{
	const char *id = json_str(p, "requestID");

	if (!talk_id_ok(id))
		return;
	ids_add(&t->heard, id);
	if (questions_remove(&t->questions, id))
		talk_look(t);
}

static void on_asked(struct talk *t, const cJSON *p)
{
	const char *id = json_str(p, "id");

	if (!talk_id_ok(id))
		return;
	ids_add(&t->heard, id);
	questions_add(&t->questions, p);
	talk_look(t);
}

/* -- in all ---------------------------------------------------------------- */

static void on_status_event(struct talk *t, const cJSON *p)
{
	on_status(t, json_str(p, "sessionID"), member(p, "status"));
}

static void on_idle(struct talk *t, const cJSON *p)
{
	const char *id = json_str(p, "sessionID");

	if (!talk_id_ok(id))
		return;
	ids_add(&t->heard, id);
	went_idle(t, id);
}

static const struct {
	const char *type;
	void (*fn)(struct talk *t, const cJSON *properties);
} handlers[] = {
    {"message.part.updated", on_part},
    {"message.removed", on_removed},
    {"message.updated", on_message},
    {"permission.asked", on_asked},
    {"permission.replied", on_replied},
    {"question.asked", on_asked},
    {"question.rejected", on_replied},
    {"question.replied", on_replied},
    {"session.created", on_session},
    {"session.deleted", on_deleted},
    {"session.error", on_error},
    {"session.idle", on_idle},
    {"session.status", on_status_event},
    {"session.updated", on_session},
};

void talk_event(struct talk *t, const char *data, size_t len)
{
	static const char delta[] = "\"type\":\"message.part.delta\"";
	cJSON *o;

	/* Each few letters of an answer come as an event of their own. */
	if (memmem(data, len < 128 ? len : 128, delta, sizeof delta - 1))
		return;
	o = body_object(data, len);
	for (size_t i = 0; o && i < sizeof handlers / sizeof handlers[0]; i++)
		if (strcmp(json_str_or(o, "type", ""), handlers[i].type) == 0)
			handlers[i].fn(t, member(o, "properties"));
	cJSON_Delete(o);
}
