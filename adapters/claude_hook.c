/*
 * claude_hook.c - Claude Code's hook events as readings.
 *
 * After Esc there is no Stop: the supervisor lets the screen overrule a hook
 * that has gone stale. Events of sub-agents carry an agent_id: they show
 * work, but neither begin nor end the turn. Codex 0.169 (whose events are
 * these, by the schemas in its program) has it for a prompt, too, but not for
 * Stop: nothing would tell the end of such a turn.
 */
#include "adapters/claude.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/utf8.h"

const char *const claude_events[] = {
    "SessionStart",	  "UserPromptSubmit",  "PreToolUse",   "PostToolUse",
    "PostToolUseFailure", "PermissionRequest", "Notification", "Stop",
    "StopFailure",	  "PreCompact",	       "SessionEnd",   NULL,
};

/* The first line of s that has text, printable. */
static void first_line(char *out, size_t size, const char *s)
{
	size_t n;

	s += strspn(s, " \t\r\n");
	n = strcspn(s, "\r\n");
	utf8_printable(out, size, s, n);
}

/* "Bash: npm test" from tool_name and what its input is about. */
static void describe_tool(const cJSON *payload, char *out, size_t size)
{
	static const char *const keys[] = {
	    "command", "file_path", "notebook_path", "pattern", "url",
	    "query",   "skill",	    "description",   "prompt",	NULL,
	};
	const cJSON *input =
	    cJSON_GetObjectItemCaseSensitive(payload, "tool_input");
	const char *what = NULL;
	char line[READING_TEXT] = "", text[READING_TEXT * 2];

	for (size_t i = 0; keys[i] && !what; i++)
		what = json_str(input, keys[i]);
	if (what)
		first_line(line, sizeof line, what);
	snprintf(text, sizeof text, "%.100s%s%s",
		 json_str_or(payload, "tool_name", "a tool"), *line ? ": " : "",
		 line);
	utf8_printable(out, size, text, strlen(text));
}

/* The text of the first question of AskUserQuestion. */
static const char *asked(const cJSON *payload)
{
	const cJSON *input =
	    cJSON_GetObjectItemCaseSensitive(payload, "tool_input");
	const cJSON *list =
	    cJSON_GetObjectItemCaseSensitive(input, "questions");

	return json_str(cJSON_GetArrayItem(list, 0), "question");
}

static void on_permission(const cJSON *payload, struct reading *out)
{
	const char *tool = json_str_or(payload, "tool_name", "");
	const char *question = asked(payload);
	char what[READING_TEXT], text[READING_TEXT + 32];

	out->activity = ACTIVITY_WAITING_FOR_INPUT;
	out->question = true;
	if (question) {
		first_line(out->detail, sizeof out->detail, question);
	} else if (strcmp(tool, "ExitPlanMode") == 0) {
		first_line(out->detail, sizeof out->detail,
			   "asks whether its plan may be carried out");
	} else {
		describe_tool(payload, what, sizeof what);
		snprintf(text, sizeof text, "asks to run %s", what);
		utf8_printable(out->detail, sizeof out->detail, text,
			       strlen(text));
	}
}

static bool on_notification(const cJSON *payload, struct reading *out)
{
	const char *type = json_str_or(payload, "notification_type", "");

	if (strcmp(type, "idle_prompt") == 0) {
		out->activity = ACTIVITY_IDLE;
	} else if (strcmp(type, "permission_prompt") == 0 ||
		   strcmp(type, "elicitation_dialog") == 0) {
		out->activity = ACTIVITY_WAITING_FOR_INPUT;
		out->question = true;
		out->late = true;
		first_line(out->detail, sizeof out->detail,
			   json_str_or(payload, "message", "asks a question"));
	} else {
		return false;
	}
	return true;
}

static void on_stop(const cJSON *payload, bool failed, struct reading *out)
{
	out->activity = ACTIVITY_COMPLETED;
	out->turn_ended = true;
	out->failed = failed;
	first_line(out->detail, sizeof out->detail,
		   json_str_or(payload, "last_assistant_message",
			       json_str_or(payload, "error", "")));
	adapter_answer(out, json_str_or(payload, "last_assistant_message", ""));
}

bool claude_hook(const char *event, const cJSON *payload, struct reading *out)
{
	const char *prompt = json_str_or(payload, "prompt", "");
	bool sub_agent = json_str(payload, "agent_id") != NULL;

	prompt += strspn(prompt, " \t\r\n");
	*out = (struct reading){.source = SOURCE_HOOK};
	if (!sub_agent)
		first_line(out->conversation, sizeof out->conversation,
			   json_str_or(payload, "session_id", ""));
	first_line(out->turn, sizeof out->turn,
		   json_str_or(payload, "prompt_id", ""));

	if (strcmp(event, "SessionStart") == 0) {
		/* After compaction the turn goes on. */
		if (strcmp(json_str_or(payload, "source", ""), "compact") != 0)
			out->activity = ACTIVITY_IDLE;
	} else if (strcmp(event, "UserPromptSubmit") == 0) {
		if (sub_agent)
			return false;
		out->activity = ACTIVITY_WORKING;
		out->turn_started = true;
		/* Wrapped, the message is not how it begins. */
		if (strncmp(prompt, "<pasted_content", 15) != 0)
			first_line(out->prompt, sizeof out->prompt, prompt);
	} else if (strcmp(event, "PreToolUse") == 0) {
		out->activity = ACTIVITY_WORKING;
		describe_tool(payload, out->detail, sizeof out->detail);
	} else if (strcmp(event, "PostToolUse") == 0 ||
		   strcmp(event, "PostToolUseFailure") == 0) {
		out->activity = ACTIVITY_WORKING;
	} else if (strcmp(event, "PermissionRequest") == 0) {
		on_permission(payload, out);
	} else if (strcmp(event, "Notification") == 0) {
		return on_notification(payload, out);
	} else if (strcmp(event, "PreCompact") == 0) {
		out->activity = ACTIVITY_WORKING;
		first_line(out->detail, sizeof out->detail,
			   "compacts the conversation");
	} else if (strcmp(event, "Stop") == 0 ||
		   strcmp(event, "StopFailure") == 0) {
		if (sub_agent)
			return false;
		on_stop(payload, event[4] != '\0', out);
	} else if (strcmp(event, "SessionEnd") != 0) {
		return false;
	}
	return true;
}
