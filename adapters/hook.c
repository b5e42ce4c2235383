/* hook.c - turns hook events into readings: the part that all harnesses
 * share. */
#include "adapters/hook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/screen/rules.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/utf8.h"
#include "base/words.h"

/* What an event means by its key alone. */
static const struct {
	const char *key;
	enum activity activity;
	enum { SAYS, BEGINS, ENDS, FAILS, ASKS } turn;
} kinds[] = {
    {"hook_idle", ACTIVITY_IDLE, SAYS},
    {"hook_prompt", ACTIVITY_WORKING, BEGINS},
    {"hook_working", ACTIVITY_WORKING, SAYS},
    {"hook_waiting", ACTIVITY_WAITING_FOR_INPUT, ASKS},
    {"hook_done", ACTIVITY_COMPLETED, ENDS},
    {"hook_failed", ACTIVITY_COMPLETED, FAILS},
    {"hook_other", ACTIVITY_NONE, SAYS},
};

#define KINDS (sizeof kinds / sizeof kinds[0])

static void add_names(const struct rules *r, size_t kind, struct strv *out)
{
	const char *names = rules_get(r, kinds[kind].key);

	if (names)
		words_split(names, out, NULL);
}

void hook_names(const struct rules *r, struct strv *out)
{
	for (size_t i = 0; i < KINDS; i++)
		add_names(r, i, out);
}

bool hook_read(const struct rules *r, const char *event, struct reading *out)
{
	*out = (struct reading){.source = SOURCE_HOOK};
	for (size_t i = 0; i < KINDS; i++) {
		_strv_ struct strv names = {0};

		add_names(r, i, &names);
		if (!strv_has(&names, event))
			continue;
		out->activity = kinds[i].activity;
		out->turn_started = kinds[i].turn == BEGINS;
		out->failed = kinds[i].turn == FAILS;
		out->turn_ended = out->failed || kinds[i].turn == ENDS;
		out->question = kinds[i].turn == ASKS;
		return true;
	}
	return false;
}

void hook_line(char *out, size_t size, const char *s)
{
	s += strspn(s, " \t\r\n");
	utf8_printable(out, size, s, strcspn(s, "\r\n"));
}

void hook_copy(char *out, size_t size, const cJSON *payload, const char *key)
{
	hook_line(out, size, json_str_or(payload, key, ""));
}

void hook_set_detail(struct reading *out, const char *before, const char *what)
{
	char line[READING_TEXT], text[READING_TEXT * 2];

	hook_line(line, sizeof line, what);
	snprintf(text, sizeof text, "%.120s%s%s", before, *line ? ": " : "",
		 line);
	utf8_printable(out->detail, sizeof out->detail, text, strlen(text));
}

static uint64_t add_text(uint64_t h, const char *text)
{
	/* Gemini CLI adds the number of the command's process group. */
	const char *end = strstr(text, "\nProcess Group PGID: ");

	return hash_add(h, text, end ? (size_t)(end - text) : strlen(text) + 1);
}

static uint64_t add_value(uint64_t h, const cJSON *o)
{
	_buf_ struct buf text = {0};

	if (!o)
		return h;
	if (cJSON_IsString(o))
		return add_text(h, o->valuestring);
	json_print(o, &text);
	return add_text(h, text.data);
}

uint64_t hook_call(const cJSON *payload)
{
	const char *tool = json_str(payload, "tool_name");
	const cJSON *input = json_get(payload, "tool_input");
	const cJSON *result = json_get(payload, "tool_response");
	const cJSON *error = json_get(payload, "error");
	const cJSON *content = json_get(result, "llmContent");
	uint64_t h = HASH_NONE;

	if (!tool || (!result && !error))
		return 0;
	h = add_value(add_text(h, tool), input);
	h = add_value(add_value(h, content ? content : result), error);
	return h ? h : 1;
}

void hook_tool(const char *before, const cJSON *payload, struct reading *out)
{
	static const char *const keys[] = {
	    "command", "file_path", "absolute_path", "notebook_path",
	    "pattern", "dir_path",  "path",	     "url",
	    "query",   "skill",	    "description",   "prompt",
	    NULL,
	};
	const cJSON *input = json_get(payload, "tool_input");
	const char *what = NULL;
	_free_ char *tool = mem_printf(
	    "%s%s", before, json_str_or(payload, "tool_name", "a tool"));

	for (size_t i = 0; keys[i] && !what; i++)
		what = json_str(input, keys[i]);
	hook_set_detail(out, tool, what ? what : "");
}
