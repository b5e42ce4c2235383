/* hook.c - turns hook events into readings: the part that all harnesses
 * share. */
#include "adapters/hook.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/json.h"
#include "base/utf8.h"

bool hook_read(const struct hook_event *events, const char *event,
	       struct reading *out)
{
	const struct hook_event *e = events;

	while (e->name && strcmp(e->name, event) != 0)
		e++;
	*out = (struct reading){.source = SOURCE_HOOK,
				.activity = e->activity,
				.turn_started = e->turn == HOOK_BEGINS,
				.turn_ended = e->turn == HOOK_ENDS ||
					      e->turn == HOOK_FAILS,
				.failed = e->turn == HOOK_FAILS,
				.question = e->turn == HOOK_ASKS};
	return e->name != NULL;
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

void hook_tool(const char *before, const cJSON *payload, struct reading *out)
{
	static const char *const keys[] = {
	    "command", "file_path", "absolute_path", "notebook_path",
	    "pattern", "dir_path",  "path",	     "url",
	    "query",   "skill",	    "description",   "prompt",
	    NULL,
	};
	const cJSON *input =
	    cJSON_GetObjectItemCaseSensitive(payload, "tool_input");
	const char *what = NULL;
	_free_ char *tool = mem_printf(
	    "%s%s", before, json_str_or(payload, "tool_name", "a tool"));

	for (size_t i = 0; keys[i] && !what; i++)
		what = json_str(input, keys[i]);
	hook_set_detail(out, tool, what ? what : "");
}
