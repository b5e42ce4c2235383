/* talk_tell.c - what the supervisor is told of a talk, whole each time. */
#include "opencode/talk_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/bridge.h"

/* Tells o (taken), with what is so now, unless it was told already. */
static void tell(struct talk *t, cJSON *o)
{
	struct buf text = {0};
	const char *activity = "idle", *detail = "";

	if (t->questions.n > 0) {
		activity = "waiting_for_input";
		detail = t->questions.v[0].text;
	} else if (t->busy.n > 0 || t->begun) {
		activity = "working";
		detail = t->retry;
	} else if (t->ended && !t->interrupted) {
		activity = "completed";
		detail = t->error;
	}
	json_set_str(o, "event", "told");
	json_set_str(o, "activity", activity);
	json_set_bool(o, "question", t->questions.n > 0);
	json_set_str(o, "detail", detail);
	json_set_bool(o, "failed", t->failed);
	if (t->conversation[0])
		json_set_str(o, "conversation", t->conversation);
	json_print(o, &text);
	if (t->last && strcmp(t->last, text.data) == 0) {
		cJSON_Delete(o);
	} else {
		free(t->last);
		t->last = mem_strdup(text.data);
		t->ev.told(t->ev.ctx, o);
	}
	buf_finish(&text);
}

void talk_look(struct talk *t)
{
	tell(t, cJSON_CreateObject());
}

void talk_turn_started(struct talk *t, const char *prompt)
{
	char *begin = mem_strndup(prompt, BRIDGE_PROMPT_MAX - 1);
	size_t n = strlen(begin), at = 0, one;
	cJSON *o = cJSON_CreateObject();
	uint32_t cp;

	/* Not a half character at its end. */
	while (at < n && (one = utf8_decode(begin + at, n - at, &cp)) > 0)
		at += one;
	begin[at] = '\0';
	t->fresh[0] = '\0';
	json_set_bool(o, "turn_started", true);
	json_set_str(o, "prompt", begin);
	tell(t, o);
	free(begin);
}

void talk_turn_ended(struct talk *t)
{
	cJSON *o = cJSON_CreateObject();

	t->ended = true;
	t->begun = false;
	t->fresh[0] = '\0';
	json_set_bool(o, "turn_ended", true);
	json_set_bool(o, "interrupted", t->interrupted);
	if (t->answer.text.len > 0)
		json_set_str(o, "answer", t->answer.text.data);
	tell(t, o);
}
