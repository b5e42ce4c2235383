/*
 * opencode_hook.c - turns the reports of our plugin in OpenCode into readings.
 * share/adapters/opencode-plugin.js is the plugin.
 */
#include "adapters/opencode/opencode.h"

#include "adapters/hook.h"
#include "base/json.h"

static int64_t count(const cJSON *o, const char *key)
{
	int64_t n = json_int(o, key, 0);

	return n > 0 && n < TOKENS_MAX ? n : 0;
}

/* It computes the cost itself, also with the prices of a provider of the
 * user. */
static void read_tokens(const cJSON *payload, struct reading *out)
{
	const cJSON *t = json_get(payload, "tokens");

	out->tokens = (struct tokens){
	    .input = count(t, "input"),
	    .output = count(t, "output"),
	    .cache_read = count(t, "cache_read"),
	    .cache_write = count(t, "cache_write"),
	    .cost_micro = count(payload, "cost_micro"),
	};
	hook_copy(out->model, sizeof out->model, payload, "model");
}

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
	read_tokens(payload, out);
	out->failed = json_bool(payload, "failed", false);
	adapter_answer(out, json_str_or(payload, "answer", ""));
	return true;
}

/* The plugin stores the last answer in the session's home. */
const struct record_kind opencode_record = {.pattern = "opencode-answer"};
