/*
 * codex_record.c - what Codex keeps: sessions/Y/M/D/rollout-<time>-<id>.jsonl
 * below its home, a line for each event; and how it logs in.
 */
#include "adapters/codex.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"

static int open_rollout(const char *dir, const char *id)
{
	char *pattern = mem_printf("sessions/*/*/*/rollout-*-%s.jsonl", id);
	int fd = record_find(dir, pattern, NULL, NULL);

	free(pattern);
	return fd;
}

bool codex_has_record(const char *dir, const char *id)
{
	int fd = open_rollout(dir, id);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

struct newest {
	int64_t asked_at;
	char *answer;
};

/* The end of the last turn has the answer; after its beginning there is none
 * yet. */
static bool on_line(void *ctx, const cJSON *o)
{
	struct newest *n = ctx;
	const cJSON *payload = cJSON_GetObjectItemCaseSensitive(o, "payload");
	const char *kind = json_str_or(payload, "type", "");

	if (record_is_before(o, n->asked_at))
		return false;
	if (strcmp(kind, "task_complete") == 0)
		n->answer = mem_strdup(json_str(payload, "last_agent_message"));
	return strcmp(kind, "task_complete") != 0 &&
	       strcmp(kind, "task_started") != 0 &&
	       strcmp(kind, "turn_aborted") != 0;
}

bool codex_last_answer(const struct record *record, const char *told,
		       struct buf *out)
{
	int fd = open_rollout(record->dir, record->conversation);
	struct newest n = {.asked_at = record->asked_at};
	bool known;

	if (fd < 0)
		return false;
	record_lines(fd, RECORD_TAIL_MAX, on_line, &n);
	close(fd);
	known = n.answer && record_begins(n.answer, told);
	if (known)
		buf_adds(out, n.answer);
	free(n.answer);
	return known;
}

#define CONFIG_MAX ((size_t)256 * 1024)

/* env_key = "NAME" of the model providers in config.toml: a provider of the
 * user's own asks for no login. */
static void add_providers(const struct auth_request *rq, const char *text,
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
		auth_add_env(rq, name, out);
	}
}

void codex_auth(const struct auth_request *rq, struct auth *out)
{
	char *config = auth_path(rq, "CODEX_HOME", ".codex", "config.toml");
	struct buf text = {0};

	if (config && file_read(AT_FDCWD, config, CONFIG_MAX, &text, NULL) == 0)
		add_providers(rq, text.data, out);
	auth_add_env(rq, "CODEX_API_KEY", out);
	auth_add_file(auth_path(rq, "CODEX_HOME", ".codex", "auth.json"), out);
	if (!out->chosen)
		out->needs = mem_strdup(
		    auth_env(rq, "OPENAI_API_KEY")
			? "a login: OPENAI_API_KEY alone does not count; "
			  "`codex login --with-api-key` takes it"
			: "a login (`codex login`), or a model provider with "
			  "env_key in its config.toml");
	buf_finish(&text);
	free(config);
}
