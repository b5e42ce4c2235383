/*
 * opencode_hook.c - what our plugin in OpenCode tells, as readings.
 * share/adapters/opencode-plugin.js has the other side.
 */
#include "adapters/opencode.h"

#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/utf8.h"

static void copy(char *dst, size_t size, const cJSON *payload, const char *key)
{
	const char *text = json_str_or(payload, key, "");

	utf8_printable(dst, size, text, strlen(text));
}

bool opencode_hook(const char *event, const cJSON *payload, struct reading *out)
{
	*out = (struct reading){.source = SOURCE_HOOK};
	copy(out->conversation, sizeof out->conversation, payload, "session");
	copy(out->detail, sizeof out->detail, payload, "detail");
	if (strcmp(event, "prompt") == 0) {
		out->activity = ACTIVITY_WORKING;
		out->turn_started = true;
		copy(out->prompt, sizeof out->prompt, payload, "prompt");
	} else if (strcmp(event, "busy") == 0) {
		out->activity = ACTIVITY_WORKING;
	} else if (strcmp(event, "asks") == 0) {
		out->activity = ACTIVITY_WAITING_FOR_INPUT;
		out->question = true;
	} else if (strcmp(event, "end") == 0) {
		out->turn_ended = true;
		out->interrupted = json_bool(payload, "interrupted", false);
		out->activity =
		    out->interrupted ? ACTIVITY_IDLE : ACTIVITY_COMPLETED;
		out->failed = json_bool(payload, "failed", false);
		adapter_answer(out, json_str_or(payload, "answer", ""));
	} else if (strcmp(event, "start") != 0) {
		return false;
	}
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
