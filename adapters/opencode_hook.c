/*
 * opencode_hook.c - what our plugin in OpenCode tells, as readings.
 * share/adapters/opencode-plugin.js has the other side.
 */
#include "adapters/opencode.h"

#include <unistd.h>

#include "adapters/hook.h"
#include "base/json.h"

static const struct hook_event events[] = {
    {"start", ACTIVITY_NONE, HOOK_SAYS},
    {"prompt", ACTIVITY_WORKING, HOOK_BEGINS},
    {"busy", ACTIVITY_WORKING, HOOK_SAYS},
    {"asks", ACTIVITY_WAITING_FOR_INPUT, HOOK_ASKS},
    {"end", ACTIVITY_COMPLETED, HOOK_ENDS},
    {NULL, ACTIVITY_NONE, HOOK_SAYS},
};

bool opencode_hook(const char *event, const cJSON *payload, struct reading *out)
{
	if (!hook_read(events, event, out))
		return false;
	hook_copy(out->conversation, sizeof out->conversation, payload,
		  "session");
	hook_copy(out->detail, sizeof out->detail, payload, "detail");
	if (out->turn_started)
		hook_copy(out->prompt, sizeof out->prompt, payload, "prompt");
	if (!out->turn_ended)
		return true;
	out->interrupted = json_bool(payload, "interrupted", false);
	if (out->interrupted)
		out->activity = ACTIVITY_IDLE;
	out->failed = json_bool(payload, "failed", false);
	adapter_answer(out, json_str_or(payload, "answer", ""));
	return true;
}

/* The plugin keeps it in the session's home. */
bool opencode_last_answer(const struct record *record, const char *told,
			  struct buf *out)
{
	int fd = record_open(record->dir, "opencode-answer");
	size_t from = out->len;
	ssize_t n;

	if (fd < 0)
		return false;
	while (out->len - from < ADAPTER_ANSWER_MAX &&
	       (n = read(fd, buf_room(out, 65536), 65536)) > 0) {
		out->len += (size_t)n;
		out->data[out->len] = '\0';
	}
	close(fd);
	return out->len > from && record_begins(out->data + from, told);
}
