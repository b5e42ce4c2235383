/*
 * gemini_hook.c - Gemini CLI's hook events as readings.
 *
 * AfterAgent comes after Esc and after errors too, but not after Esc at an
 * approval: there the title and the screen overrule what the hook said. The
 * answer that it brings is garbled (it joins the pieces of the stream with
 * blanks), so it is not shown; but it tells that there was none, while the
 * error may not be on the screen yet.
 */
#include "adapters/gemini.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

const char *const gemini_events[] = {
    "SessionStart", "BeforeAgent",  "BeforeTool", "AfterTool",
    "AfterAgent",   "Notification", "SessionEnd", NULL,
};

/* The first line of s that has text, printable. */
static void first_line(char *out, size_t size, const char *s)
{
	s += strspn(s, " \t\r\n");
	utf8_printable(out, size, s, strcspn(s, "\r\n"));
}

/* "before: what", or before alone. */
static void say(struct reading *out, const char *before, const char *what)
{
	char line[READING_TEXT], text[READING_TEXT * 2];

	first_line(line, sizeof line, what);
	snprintf(text, sizeof text, "%.100s%s%s", before, *line ? ": " : "",
		 line);
	utf8_printable(out->detail, sizeof out->detail, text, strlen(text));
}

/* "run_shell_command: npm test" */
static void on_tool(const cJSON *payload, struct reading *out)
{
	static const char *const keys[] = {
	    "command", "file_path", "absolute_path", "dir_path", "path",
	    "pattern", "query",	    "url",	     "prompt",	 NULL,
	};
	const cJSON *input =
	    cJSON_GetObjectItemCaseSensitive(payload, "tool_input");
	const char *what = NULL;

	for (size_t i = 0; keys[i] && !what; i++)
		what = json_str(input, keys[i]);
	say(out, json_str_or(payload, "tool_name", "a tool"), what ? what : "");
}

static bool on_notification(const cJSON *payload, struct reading *out)
{
	const cJSON *details =
	    cJSON_GetObjectItemCaseSensitive(payload, "details");
	const char *type = json_str_or(details, "type", "");

	if (strcmp(json_str_or(payload, "notification_type", ""),
		   "ToolPermission") != 0)
		return false;
	out->activity = ACTIVITY_WAITING_FOR_INPUT;
	out->question = true;
	if (strcmp(type, "exec") == 0)
		say(out, "asks to run", json_str_or(details, "command", ""));
	else if (strcmp(type, "edit") == 0)
		say(out, "asks to edit", json_str_or(details, "fileName", ""));
	else if (strcmp(type, "mcp") == 0)
		say(out, "asks to use",
		    json_str_or(details, "toolDisplayName",
				json_str_or(details, "toolName", "a tool")));
	else
		say(out, json_str_or(details, "title", "asks for permission"),
		    json_str_or(details, "prompt", ""));
	return true;
}

bool gemini_hook(const char *event, const cJSON *payload, struct reading *out)
{
	*out = (struct reading){.source = SOURCE_HOOK};
	first_line(out->conversation, sizeof out->conversation,
		   json_str_or(payload, "session_id", ""));

	if (strcmp(event, "SessionStart") == 0) {
		out->activity = ACTIVITY_IDLE;
	} else if (strcmp(event, "BeforeAgent") == 0) {
		out->activity = ACTIVITY_WORKING;
		out->turn_started = true;
		first_line(out->prompt, sizeof out->prompt,
			   json_str_or(payload, "prompt", ""));
	} else if (strcmp(event, "BeforeTool") == 0) {
		out->activity = ACTIVITY_WORKING;
		on_tool(payload, out);
	} else if (strcmp(event, "AfterTool") == 0) {
		out->activity = ACTIVITY_WORKING;
	} else if (strcmp(event, "AfterAgent") == 0) {
		out->activity = ACTIVITY_COMPLETED;
		out->turn_ended = true;
		out->unanswered =
		    strcmp(json_str_or(payload, "prompt_response", ""),
			   "[no response text]") == 0;
	} else if (strcmp(event, "Notification") == 0) {
		return on_notification(payload, out);
	} else if (strcmp(event, "SessionEnd") != 0) {
		return false;
	}
	return true;
}
