/*
 * claude_hook.c - turns Claude Code's hook events into readings.
 *
 * After Esc there is no Stop: the screen overrules a stale hook. Events of
 * sub-agents have an agent_id: they show work, but neither begin nor end the
 * turn. Codex 0.169 (which has the same events, by the schemas in its program)
 * has it for a prompt, too, but not for Stop: no event would report the end of
 * such a turn.
 */
#include "adapters/claude/claude.h"

#include <string.h>

#include "base/json.h"

static void on_permission(const cJSON *payload, struct reading *out)
{
	const cJSON *input = json_get(payload, "tool_input");
	const cJSON *questions = json_get(input, "questions");
	/* of AskUserQuestion */
	const char *first =
	    json_str(cJSON_GetArrayItem(questions, 0), "question");

	if (first)
		hook_set_detail(out, first, "");
	else if (strcmp(json_str_or(payload, "tool_name", ""),
			"ExitPlanMode") == 0)
		hook_set_detail(out, "asks whether its plan may be carried out",
				"");
	else
		hook_tool("asks to run ", payload, out);
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
		hook_line(out->detail, sizeof out->detail,
			  json_str_or(payload, "message", "asks a question"));
	} else {
		return false;
	}
	return true;
}

static void on_stop(const cJSON *payload, struct reading *out)
{
	const char *error = json_str_or(payload, "error", "");
	const char *answer = json_str_or(payload, "last_assistant_message", "");

	hook_line(out->detail, sizeof out->detail, *answer ? answer : error);
	adapter_answer(out, answer);
	out->limited = out->failed;
	out->login = out->failed && strcmp(error, "authentication_failed") == 0;
	if (out->login)
		out->activity = ACTIVITY_WAITING_FOR_INPUT;
}

bool claude_hook(const struct rules *r, const char *event, const cJSON *payload,
		 struct reading *out)
{
	const char *prompt = json_str_or(payload, "prompt", "");
	const char *source = json_str_or(payload, "source", "");
	bool sub_agent = json_str(payload, "agent_id") != NULL;

	if (!hook_read(r, event, out) ||
	    (sub_agent && (out->turn_started || out->turn_ended)))
		return false;
	if (!sub_agent)
		hook_copy(out->conversation, sizeof out->conversation, payload,
			  "session_id");
	hook_copy(out->turn, sizeof out->turn, payload, "prompt_id");
	out->began = strcmp(event, "SessionStart") == 0;
	out->forked = out->began && strcmp(source, "fork") == 0;
	if (out->began && strcmp(source, "compact") == 0)
		out->activity = ACTIVITY_NONE; /* the turn continues */
	/* If wrapped, the text does not begin with the message. */
	prompt += strspn(prompt, " \t\r\n");
	if (out->turn_started && !row_starts(prompt, "<pasted_content"))
		hook_line(out->prompt, sizeof out->prompt, prompt);
	if (out->turn_ended)
		on_stop(payload, out);
	if (out->question)
		on_permission(payload, out);
	if (strcmp(event, "PreToolUse") == 0)
		hook_tool("", payload, out);
	if (strcmp(event, "PreCompact") == 0)
		hook_set_detail(out, "compacts the conversation", "");
	return strcmp(event, "Notification") != 0 ||
	       on_notification(payload, out);
}
