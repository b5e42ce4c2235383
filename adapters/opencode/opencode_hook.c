/*
 * opencode_hook.c - turns the reports of our plugin in OpenCode into readings.
 * share/adapters/opencode-plugin.js is the plugin.
 */
#include "adapters/opencode/opencode.h"

#include "adapters/hook.h"
#include "base/json.h"

bool opencode_hook(const struct rules *r, const char *event,
		   const cJSON *payload, struct reading *out)
{
	if (!hook_read(r, event, out))
		return false;
	hook_copy(out->conversation, sizeof out->conversation, payload,
		  "session");
	hook_copy(out->detail, sizeof out->detail, payload, "detail");
	out->limited = json_bool(payload, "retries", false);
	if (out->turn_started)
		hook_copy(out->prompt, sizeof out->prompt, payload, "prompt");
	if (!out->turn_ended)
		return true;
	out->interrupted = json_bool(payload, "interrupted", false);
	if (out->interrupted)
		out->activity = ACTIVITY_IDLE;
	out->cost_micro = json_int(payload, "cost_micro", 0);
	out->failed = json_bool(payload, "failed", false);
	adapter_answer(out, json_str_or(payload, "answer", ""));
	return true;
}

/* The plugin stores the last answer in the session's home. */
const struct record_kind opencode_record = {.pattern = "opencode-answer"};
