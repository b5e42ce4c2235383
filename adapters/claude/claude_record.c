/*
 * claude_record.c - reads Claude Code's conversations:
 * projects/<slug>/<id>.jsonl, one line for each block of a message, below its
 * configuration's directory; and finds how it logs in.
 *
 * The path that its hooks name is not used: the id alone finds the file.
 */
#include "adapters/claude/claude.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* True for a message of the user, not a tool's result. */
static bool is_prompt(const cJSON *line, const cJSON *message)
{
	const cJSON *content = json_get(message, "content");
	const char *kind = json_str(cJSON_GetArrayItem(content, 0), "type");

	return strcmp(json_str_or(line, "type", ""), "user") == 0 &&
	       !json_bool(line, "isMeta", false) &&
	       (!kind || strcmp(kind, "tool_result") != 0);
}

/* Collects the blocks of the newest message. */
static bool on_answer(struct record_search *s, const cJSON *o)
{
	const cJSON *message = json_get(o, "message");
	const cJSON *block;
	const char *id = json_str_or(message, "id", "");
	struct buf text = {0};

	if (json_bool(o, "isSidechain", false))
		return true;
	if (is_prompt(o, message) || record_is_before(o, s->asked_at))
		return false;
	if (strcmp(json_str_or(o, "type", ""), "assistant") != 0)
		return true;
	if (s->answer.len > 0 && strcmp(s->message, id) != 0)
		return false;
	free(s->message);
	s->message = mem_strdup(id);
	cJSON_ArrayForEach (block, json_get(message, "content"))
		if (strcmp(json_str_or(block, "type", ""), "text") == 0)
			buf_addf(&text, "%s%s", text.len ? "\n\n" : "",
				 json_str_or(block, "text", ""));
	if (text.len > 0 && s->answer.len > 0)
		buf_addf(&text, "\n\n%s", s->answer.data);
	if (text.len > 0) {
		buf_finish(&s->answer);
		s->answer = text;
	}
	return true;
}

const struct record_kind claude_record = {.pattern = "projects/*/%.jsonl",
					  .on_answer = on_answer};

/* The order is Claude Code's own. It uses an API key only after the user
 * approved it, which is not checked here: it asks. */
void claude_auth(const char *const *env, struct auth *out)
{
	static const char *const clouds[] = {"CLAUDE_CODE_USE_BEDROCK",
					     "CLAUDE_CODE_USE_VERTEX",
					     "CLAUDE_CODE_USE_FOUNDRY"};

	for (size_t i = 0; i < sizeof clouds / sizeof clouds[0]; i++)
		auth_add_env(env, clouds[i], out);
	auth_add_env(env, "ANTHROPIC_AUTH_TOKEN", out);
	auth_add_env(env, "ANTHROPIC_API_KEY", out);
	out->by_token = out->chosen != NULL;
	auth_add_env(env, "CLAUDE_CODE_OAUTH_TOKEN", out);
	auth_add_file(
	    auth_path(env, "CLAUDE_CONFIG_DIR", ".claude", ".credentials.json"),
	    out);
	if (!out->chosen)
		out->needs = mem_strdup(
		    "a login (run claude once and log in), or "
		    "ANTHROPIC_API_KEY, or CLAUDE_CODE_OAUTH_TOKEN of `claude "
		    "setup-token`");
}
