/*
 * codex_record.c - reads Codex's conversations:
 * sessions/Y/M/D/rollout-<time>-<id>.jsonl below its home, a line for each
 * event; and finds how it logs in.
 */
#include "adapters/codex/codex.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/json.h"

/* The end of the last turn has the answer; after its start there is none
 * yet. */
static bool on_answer(struct record_search *s, const cJSON *o)
{
	const cJSON *payload = json_get(o, "payload");
	const char *kind = json_str_or(payload, "type", "");

	if (record_is_before(o, s->asked_at))
		return false;
	if (strcmp(kind, "task_complete") == 0)
		buf_adds(&s->answer,
			 json_str_or(payload, "last_agent_message", ""));
	return strcmp(kind, "task_complete") != 0 &&
	       strcmp(kind, "task_started") != 0 &&
	       strcmp(kind, "turn_aborted") != 0;
}

/* A sub-agent's conversation is left out. */
static bool is_users(const cJSON *o)
{
	const cJSON *meta = json_get(o, "payload");

	return strcmp(json_str_or(meta, "thread_source", "user"), "user") == 0;
}

const struct record_kind codex_record = {
    .pattern = "sessions/*/*/*/rollout-*-%.jsonl",
    .cwd = "payload.cwd",
    .id = "payload.id",
    .is_users = is_users,
    .on_answer = on_answer,
};

#define CONFIG_MAX ((size_t)256 * 1024)

/* Adds env_key = "NAME" of the model providers in config.toml: a provider of
 * the user needs no login. */
static void add_providers(const char *const *env, const char *text,
			  struct auth *out)
{
	for (const char *s = text; s; s = strchr(s, '\n')) {
		char name[128];
		size_t n;

		s += strspn(s, " \t\r\n");
		if (strncmp(s, "env_key", 7) != 0)
			continue;
		s += 7 + strspn(s + 7, " \t");
		if (*s != '=')
			continue;
		s += 1 + strspn(s + 1, " \t");
		n = *s == '"' ? strcspn(s + 1, "\"\n") : 0;
		if (n == 0 || n >= sizeof name)
			continue;
		memcpy(name, s + 1, n);
		name[n] = '\0';
		auth_add_env(env, name, out);
	}
}

/* Returns whether its own login is a key: its file has one, or null beside the
 * tokens of ChatGPT. */
static bool is_key(const char *const *env)
{
	_free_ char *path = auth_path(env, "CODEX_HOME", ".codex", "auth.json");
	_json_ cJSON *o =
	    path ? json_load(AT_FDCWD, path, CONFIG_MAX, NULL) : NULL;
	bool is = json_str(o, "OPENAI_API_KEY") != NULL;

	json_wipe(o);
	return is;
}

void codex_auth(const char *const *env, struct auth *out)
{
	_free_ char *config =
	    auth_path(env, "CODEX_HOME", ".codex", "config.toml");
	_buf_ struct buf text = {0};

	if (config && file_read(AT_FDCWD, config, CONFIG_MAX, &text, NULL) == 0)
		add_providers(env, text.data, out);
	auth_add_env(env, "CODEX_API_KEY", out);
	out->by_token = out->chosen != NULL || is_key(env);
	auth_add_file(auth_path(env, "CODEX_HOME", ".codex", "auth.json"), out);
	if (!out->chosen)
		out->needs = mem_strdup(
		    auth_env(env, "OPENAI_API_KEY")
			? "a login: OPENAI_API_KEY alone is not enough; `codex "
			  "login --with-api-key` takes it"
			: "a login (`codex login`), or a model provider with "
			  "env_key in its config.toml");
}
