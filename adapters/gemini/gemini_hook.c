/*
 * gemini_hook.c - turns Gemini CLI's hook events into readings.
 *
 * AfterAgent comes after Esc and after errors too, but not after Esc at an
 * approval: there the title and the screen overrule the last hook. Its answer
 * is garbled (the pieces of the stream are joined with blanks), so it is not
 * shown; but it shows if there was none, before the error is on the screen.
 */
#include "adapters/gemini/gemini.h"

#include <string.h>

#include "base/json.h"

static bool on_notification(const cJSON *payload, struct reading *out)
{
	const cJSON *details = json_get(payload, "details");
	const char *type = json_str_or(details, "type", "");

	if (strcmp(json_str_or(payload, "notification_type", ""),
		   "ToolPermission") != 0)
		return false;
	out->activity = ACTIVITY_WAITING_FOR_INPUT;
	out->question = true;
	if (strcmp(type, "exec") == 0)
		hook_set_detail(out, "asks to run",
				json_str_or(details, "command", ""));
	else if (strcmp(type, "edit") == 0)
		hook_set_detail(out, "asks to edit",
				json_str_or(details, "fileName", ""));
	else if (strcmp(type, "mcp") == 0)
		hook_set_detail(
		    out, "asks to use",
		    json_str_or(details, "toolDisplayName",
				json_str_or(details, "toolName", "a tool")));
	else
		hook_set_detail(
		    out, json_str_or(details, "title", "asks for permission"),
		    json_str_or(details, "prompt", ""));
	return true;
}

bool gemini_hook(const struct rules *r, const char *event, const cJSON *payload,
		 struct reading *out)
{
	if (!hook_read(r, event, out))
		return false;
	hook_copy(out->conversation, sizeof out->conversation, payload,
		  "session_id");
	if (out->turn_started)
		hook_copy(out->prompt, sizeof out->prompt, payload, "prompt");
	if (strcmp(event, "BeforeTool") == 0)
		hook_tool("", payload, out);
	out->unanswered = out->turn_ended &&
			  strcmp(json_str_or(payload, "prompt_response", ""),
				 "[no response text]") == 0;
	return strcmp(event, "Notification") != 0 ||
	       on_notification(payload, out);
}
