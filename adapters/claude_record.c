/*
 * claude_record.c - what Claude Code keeps: projects/<slug>/<id>.jsonl, one
 * line for each block of a message, below its configuration's directory; and
 * how it logs in.
 *
 * The path that its hooks name is not used: the id alone finds the file.
 */
#include "adapters/claude.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"

static int open_transcript(const char *dir, const char *id)
{
	char *pattern = mem_printf("projects/*/%s.jsonl", id);
	int fd = record_find(dir, pattern, NULL, NULL);

	free(pattern);
	return fd;
}

bool claude_has_transcript(const char *dir, const char *id)
{
	int fd = open_transcript(dir, id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

/* The blocks of the newest message, newest first. */
struct newest {
	int64_t asked_at;
	struct strv texts;
	char *message; /* its id; NULL: none yet */
};

/* True for a message of the user's, and not a tool's result. */
static bool is_prompt(const cJSON *line, const cJSON *message)
{
	const cJSON *content =
	    cJSON_GetObjectItemCaseSensitive(message, "content");
	const char *kind = json_str(cJSON_GetArrayItem(content, 0), "type");

	return strcmp(json_str_or(line, "type", ""), "user") == 0 &&
	       !json_bool(line, "isMeta", false) &&
	       (!kind || strcmp(kind, "tool_result") != 0);
}

static bool on_line(void *ctx, const cJSON *o)
{
	struct newest *n = ctx;
	const cJSON *message = cJSON_GetObjectItemCaseSensitive(o, "message");
	const cJSON *block;
	const char *id = json_str_or(message, "id", "");

	if (json_bool(o, "isSidechain", false))
		return true;
	if (is_prompt(o, message) || record_is_before(o, n->asked_at))
		return false;
	if (strcmp(json_str_or(o, "type", ""), "assistant") != 0)
		return true;
	if (n->texts.n > 0 && strcmp(n->message, id) != 0)
		return false;
	free(n->message);
	n->message = mem_strdup(id);
	cJSON_ArrayForEach (
	    block, cJSON_GetObjectItemCaseSensitive(message, "content")) {
		const char *text = json_str(block, "text");

		if (text && strcmp(json_str_or(block, "type", ""), "text") == 0)
			strv_add(&n->texts, text);
	}
	return true;
}

bool claude_last_answer(const struct record *record, const char *told,
			struct buf *out)
{
	int fd = open_transcript(record->dir, record->conversation);
	struct newest n = {.asked_at = record->asked_at};
	bool known;

	if (fd < 0)
		return false;
	record_lines(fd, RECORD_TAIL_MAX, on_line, &n);
	close(fd);
	known = n.texts.n > 0 && record_begins(n.texts.v[n.texts.n - 1], told);
	for (size_t i = n.texts.n; known && i > 0; i--) {
		buf_adds(out, n.texts.v[i - 1]);
		if (i > 1)
			buf_adds(out, "\n\n");
	}
	strv_finish(&n.texts);
	free(n.message);
	return known;
}

/* The order is Claude Code's own. An API key counts only when it was
 * approved, so that is not told apart here: it asks. */
void claude_auth(const struct auth_request *rq, struct auth *out)
{
	static const char *const clouds[] = {"CLAUDE_CODE_USE_BEDROCK",
					     "CLAUDE_CODE_USE_VERTEX",
					     "CLAUDE_CODE_USE_FOUNDRY"};

	for (size_t i = 0; i < sizeof clouds / sizeof clouds[0]; i++)
		auth_add_env(rq, clouds[i], out);
	auth_add_env(rq, "ANTHROPIC_AUTH_TOKEN", out);
	auth_add_env(rq, "ANTHROPIC_API_KEY", out);
	auth_add_env(rq, "CLAUDE_CODE_OAUTH_TOKEN", out);
	auth_add_file(
	    auth_path(rq, "CLAUDE_CONFIG_DIR", ".claude", ".credentials.json"),
	    out);
	if (!out->chosen)
		out->needs = mem_strdup(
		    "a login (run claude once and log in), or "
		    "ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN of `claude "
		    "setup-token`");
}
