/* test_record.c - harnesses' own files: found with care, read from the end. */
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/claude/claude.h"
#include "adapters/codex/codex.h"
#include "adapters/gemini/gemini.h"
#include "adapters/registry.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "support_scratch.h"
#include "support_unit.h"

#include <fcntl.h>

/* scratch/path with text, its directories made. */
static void write_file(const char *path, const char *text)
{
	char *whole = file_join(scratch, path);
	int fd;

	for (char *s = whole + strlen(scratch) + 1; (s = strchr(s, '/')); s++) {
		*s = '\0';
		mkdir(whole, 0700);
		*s = '/';
	}
	fd = open(whole, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(file_write_all(fd, text, strlen(text)), 0);
	close(fd);
	free(whole);
}

static bool collect(struct record_search *s, const cJSON *o)
{
	buf_addf(&s->answer, "%d ", (int)json_int(o, "n", -1));
	return json_int(o, "n", -1) != 1;
}

static const struct record_kind kind = {
    .pattern = "a/*-%", .id_len = 3, .on_answer = collect};

static bool opens(const char *id)
{
	return record_is_kept(&kind, scratch, id);
}

FIXTURE(scratch_make, scratch_remove)

TEST(record__never_leaves_the_directory)
{
	int dir = open(scratch, O_RDONLY | O_DIRECTORY);

	write_file("secret", "x");
	write_file("a/x-one", "x");
	write_file("a/x-dir/b", "x");
	assert_true(opens("one"));
	assert_true(opens("onerous")); /* its first three */
	assert_false(opens("on"));
	assert_false(opens("dir"));
	assert_false(opens(""));
	assert_int_equal(symlinkat("../secret", dir, "a/x-lnk"), 0);
	assert_int_equal(mkfifoat(dir, "a/x-ff", 0600), 0);
	assert_false(opens("lnk"));
	assert_false(opens("ff")); /* and nothing waits */
	assert_int_equal(renameat(dir, "a", dir, "real"), 0);
	assert_int_equal(symlinkat("real", dir, "a"), 0);
	assert_false(opens("one"));
	close(dir);
}

static void check_lines(const char *want)
{
	struct record record = {.dir = scratch, .conversation = "one"};
	struct buf out = {0};

	assert_int_equal(record_answer(&kind, &record, "", &out), *want != 0);
	assert_string_equal(out.data ? out.data : "", want);
	buf_finish(&out);
}

TEST(record__reads_lines_from_the_end)
{
	struct buf text = {0};

	write_file("a/x-one", "{\"n\":0}\n{\"n\":1}\nrubbish\n{\"n\":2}\n\n"
			      "{\"n\":3}\n{\"n");
	check_lines("3 2 1 ");
	write_file("a/x-one", "");
	check_lines("");
	/* Only that many bytes, and no part of a line. */
	buf_addf(&text, "{\"n\":2}\n%*s\n{\"n\":3}", 4 << 20, "");
	write_file("a/x-one", text.data);
	check_lines("3 ");
	buf_finish(&text);
}

#define USER(text)                                                             \
	"{\"type\":\"user\",\"message\":{\"content\":\"" text "\"}}\n"
#define SAYS(id, text)                                                         \
	"{\"type\":\"assistant\",\"message\":{\"id\":\"" id "\",\"content\":[" \
	"{\"type\":\"text\",\"text\":\"" text "\"}]}}\n"
#define TOOL(id)                                                               \
	"{\"type\":\"assistant\",\"message\":{\"id\":\"" id "\",\"content\":[" \
	"{\"type\":\"tool_use\",\"name\":\"Bash\"}]}}\n"                       \
	"{\"type\":\"user\",\"message\":{\"content\":["                        \
	"{\"type\":\"tool_result\",\"content\":\"ok\"}]}}\n"

static void check_answer(const char *told, bool cut, const char *want)
{
	struct record record = {.dir = scratch, .conversation = "0-1"};
	struct buf out = {0};

	buf_adds(&out, ">");
	assert_int_equal(
	    adapter_last_answer(&adapter_claude, &record, told, cut, &out),
	    want != NULL);
	assert_string_equal(out.data + 1, want ? want : "");
	buf_finish(&out);
}

TEST(claude__answers_from_its_transcript)
{
	check_answer("", false, NULL);
	check_answer("short", false, "short");
	check_answer("cut", true, "cut"); /* better than nothing */
	write_file("projects/-other/0-2.jsonl", SAYS("x", "not this"));
	write_file(
	    "projects/-a/0-1.jsonl",
	    USER("q") SAYS("m1", "old") USER("q2") SAYS("m2", "first")
		SAYS("m2", "second\\nline") "{\"type\":\"last-prompt\"}\n");
	check_answer("", false, "first\n\nsecond\nline");
	check_answer("firs", true, "first\n\nsecond\nline");
	/* The file is behind the hook's report. */
	check_answer("newest and lo", true, "newest and lo");
	write_file("projects/-a/0-1.jsonl",
		   USER("q") SAYS("m1", "let me see") TOOL("m2") TOOL("m3"));
	check_answer("", false, "let me see");
	/* Nothing in this turn yet. */
	write_file("projects/-a/0-1.jsonl",
		   USER("q") SAYS("m1", "old") USER("q2"));
	check_answer("", false, NULL);
	write_file(
	    "projects/-a/0-1.jsonl",
	    USER(
		"q") "{\"isSidechain\":true,\"type\":\"assistant\",\"message\":"
		     "{\"id\":\"z\",\"content\":[{\"type\":\"text\","
		     "\"text\":\"agent\"}]}}\n" SAYS("m", "main"));
	check_answer("", false, "main");
}

#define EVENT(kind, more)                                                      \
	"{\"type\":\"event_msg\",\"payload\":{\"type\":\"" kind "\"" more "}}" \
	"\n"
#define ROLLOUT "sessions/2026/11/21/rollout-2026-11-21T12-41-07-0-1.jsonl"

static bool codex_answers(const char *told, const char *want)
{
	struct record record = {.dir = scratch, .conversation = "0-1"};
	struct buf out = {0};
	bool known =
	    adapter_last_answer(&adapter_codex, &record, told, true, &out);

	if (known)
		assert_string_equal(out.data, want);
	buf_finish(&out);
	return known;
}

TEST(codex__answers_from_its_rollout)
{
	char *path;

	assert_false(record_is_kept(&codex_record, scratch, "0-1"));
	assert_false(codex_answers("", ""));
	write_file(
	    "sessions/2026/11/20/rollout-2026-11-20T12-41-07-10-1.jsonl",
	    EVENT("task_complete", ",\"last_agent_message\":\"not this\""));
	assert_false(record_is_kept(&codex_record, scratch, "0-1x"));
	write_file(ROLLOUT, EVENT("task_started", "") EVENT(
				"task_complete",
				",\"last_agent_message\":\"the answer\""));
	assert_true(record_is_kept(&codex_record, scratch, "0-1"));
	assert_true(codex_answers("", "the answer"));
	assert_true(codex_answers("the a", "the answer"));
	assert_true(codex_answers("newer", "newer")); /* the file is behind */
	write_file(ROLLOUT,
		   EVENT("task_complete", ",\"last_agent_message\":\"old\"")
		       EVENT("task_started", ""));
	assert_false(codex_answers("", ""));
	write_file(ROLLOUT,
		   EVENT("task_complete", ",\"last_agent_message\":null"));
	assert_false(codex_answers("", ""));
	path = file_join(scratch, ROLLOUT);
	unlink(path);
	assert_int_equal(symlink("/etc/passwd", path), 0);
	assert_false(record_is_kept(&codex_record, scratch, "0-1"));
	free(path);
}

#define META(id, cwd, source, at)                                              \
	"{\"timestamp\":\"2026-11-21T" at "Z\",\"payload\":{\"id\":\"" id      \
	"\",\"cwd\":\"" cwd "\",\"thread_source\":\"" source "\"}}\n"

static void put_rollout(const char *day, const char *id, const char *meta,
			int written_at)
{
	struct timespec at = {.tv_sec = 2000000000 + written_at},
			times[2] = {at, at};
	char *path =
		 mem_printf("sessions/2026/11/%s/rollout-x-%s.jsonl", day, id),
	     *whole = file_join(scratch, path);

	write_file(path, meta);
	assert_int_equal(utimensat(AT_FDCWD, whole, times, 0), 0);
	free(whole);
	free(path);
}

static void newest_is(const char *since, const char *want)
{
	char *id = record_newest(&codex_record, scratch, "/tree",
				 clock_parse(since), NULL);

	if (want)
		assert_string_equal(id, want);
	else
		assert_null(id);
	free(id);
}

TEST(codex__finds_the_newest_of_a_worktree)
{
	newest_is("2026-11-21T00:00:00Z", NULL);
	put_rollout("20", "0-1", META("0-1", "/tree", "user", "10:00:00"), 200);
	put_rollout("21", "0-2", META("0-2", "/tree", "user", "11:00:00"), 100);
	put_rollout("21", "0-3", META("0-3", "/else", "user", "12:00:00"), 300);
	put_rollout("21", "0-4", META("0-4", "/tree", "agent", "12:00:00"),
		    300);
	put_rollout("21", "0-5", META("-x", "/tree", "user", "12:00:00"), 300);
	put_rollout("21", "0-6", "no object\n", 300);
	newest_is("2026-11-21T00:00:00Z", "0-1"); /* continued last */
	/* An earlier session's, in a worktree of the same name. */
	newest_is("2026-11-21T10:30:00Z", "0-2");
	newest_is("2026-11-21T12:30:00Z", NULL);
	newest_is("2036-11-21T12:30:00Z", NULL); /* none was written since */
}

#define CHAT_ID	   "11112222-3333-4444-8555-666677778888"
#define CHAT_START "{\"sessionId\":\"" CHAT_ID "\",\"kind\":\"main\"}\n"
#define CHAT_SAID                                                              \
	CHAT_START "{\"id\":\"1\",\"type\":\"user\",\"content\":\"hello\"}\n"

/* `gemini --resume` in a later minute leaves an empty one beside it. */
TEST(gemini__takes_the_file_with_messages)
{
	static const char *const said[] = {"17-00", "17-02"};
	struct stat st;
	char *kept;

	for (size_t i = 0; i < 2; i++) {
		char *path = mem_printf("tmp/%zu/chats/session-2026-11-22T%s-"
					"11112222.jsonl",
					i, said[i]);

		write_file(path, CHAT_SAID);
		free(path);
		path = mem_printf("tmp/%zu/chats/session-2026-11-22T%s-"
				  "11112222.jsonl",
				  i, said[!i]);
		write_file(path, CHAT_START);
		assert_true(record_is_kept(&gemini_record, scratch, CHAT_ID));
		free(path);
	}
	assert_int_equal(gemini_link_chat(scratch, CHAT_ID, scratch, NULL), 0);
	assert_int_equal(gemini_link_chat(scratch, CHAT_ID, scratch, NULL), 0);
	kept = file_join(scratch, "conversation-" CHAT_ID ".jsonl");
	assert_int_equal(stat(kept, &st), 0);
	assert_int_equal(st.st_size, strlen(CHAT_SAID));
	free(kept);
}

/* A harness writes its files when it has time: of the turn that has ended
 * nothing may be there, not even the message that began it. */
TEST(answers__of_an_earlier_turn_are_none)
{
#define SAID_AT "2026-11-22T01:24:26.870Z"
	static const struct {
		const struct adapter *adapter;
		const char *file, *line;
	} cases[] = {
	    {&adapter_claude, "projects/-a/0-1.jsonl",
	     "{\"type\":\"assistant\",\"timestamp\":\"" SAID_AT
	     "\",\"message\":{\"content\":["
	     "{\"type\":\"text\",\"text\":\"old\"}]}}\n"},
	    {&adapter_codex, ROLLOUT,
	     "{\"timestamp\":\"" SAID_AT "\",\"payload\":"
	     "{\"type\":\"task_complete\",\"last_agent_message\":"
	     "\"old\"}}\n"},
	    {&adapter_gemini, "tmp/a/chats/session-2026-0-1.jsonl",
	     "{\"sessionId\":\"0-1\"}\n{\"id\":\"1\",\"timestamp\":\"" SAID_AT
	     "\",\"type\":\"gemini\",\"content\":\"old\"}\n"},
	};
	int64_t said_at = clock_parse(SAID_AT);

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct record record = {.dir = scratch, .conversation = "0-1"};
		struct buf out = {0};

		write_file(cases[i].file, cases[i].line);
		record.asked_at = said_at + 1;
		assert_false(adapter_last_answer(cases[i].adapter, &record, "",
						 false, &out));
		record.asked_at = said_at;
		assert_true(adapter_last_answer(cases[i].adapter, &record, "",
						false, &out));
		assert_string_equal(out.data, "old");
		buf_finish(&out);
	}
}

TEST(answers__are_bounded)
{
	struct record record = {.dir = scratch, .conversation = "0-1"};
	struct reading r = {0};
	struct buf line = {0}, text = {0}, out = {0};

	while (text.len < ADAPTER_ANSWER_MAX + 1000)
		buf_adds(&text, "ü€");
	buf_addf(&line,
		 "{\"type\":\"assistant\",\"message\":{\"content\":["
		 "{\"type\":\"text\",\"text\":\"%s\"}]}}\n",
		 text.data);
	write_file("projects/-a/0-1.jsonl", line.data);
	assert_true(
	    adapter_last_answer(&adapter_claude, &record, "", false, &out));
	assert_true(out.len <= ADAPTER_ANSWER_MAX &&
		    out.len > ADAPTER_ANSWER_MAX - 4);
	assert_memory_equal(out.data, text.data, out.len);
	adapter_answer(&r, text.data);
	assert_true(r.answer_cut && strlen(r.answer) > READING_ANSWER - 5);
	assert_memory_equal(r.answer, text.data, strlen(r.answer));
	adapter_answer(&r, "a");
	assert_false(r.answer_cut);
	buf_finish(&line);
	buf_finish(&text);
	buf_finish(&out);
}

static void check_auth(const struct adapter *a, const char *const *env,
		       const char *chosen, size_t found)
{
	struct auth auth;

	assert_true(adapter_auth(a, env, &auth));
	assert_int_equal(auth.found.n, found);
	if (chosen)
		assert_string_equal(auth.chosen, chosen);
	else
		assert_null(auth.chosen);
	assert_int_equal(auth.needs == NULL, chosen != NULL);
	/* Names, never values. */
	for (size_t i = 0; i < auth.found.n; i++)
		assert_null(strstr(auth.found.v[i], "sk-"));
	auth_finish(&auth);
}

TEST(auth__names_what_is_there)
{
	char *config = mem_printf("CLAUDE_CONFIG_DIR=%s", scratch);
	char *file = file_join(scratch, ".credentials.json");
	const char *env[] = {config, "ANTHROPIC_API_KEY=", NULL, NULL};

	check_auth(&adapter_claude, env, NULL, 0);
	write_file(".credentials.json", "");
	check_auth(&adapter_claude, env, NULL, 0);
	write_file(".credentials.json", "{}");
	check_auth(&adapter_claude, env, file, 1);
	env[1] = "ANTHROPIC_API_KEY=sk-x";
	check_auth(&adapter_claude, env, "ANTHROPIC_API_KEY", 2);
	auth_finish(NULL);
	free(config);
	free(file);
	config = mem_printf("CODEX_HOME=%s", scratch);
	file = file_join(scratch, "auth.json");
	env[0] = config;
	env[1] = "LOCAL_KEY=sk-y";
	check_auth(&adapter_codex, env, NULL, 0);
	write_file("auth.json", "{}");
	check_auth(&adapter_codex, env, file, 1);
	write_file("config.toml",
		   "[model_providers.x]\n env_key = \"LOCAL_KEY\"\n"
		   "#env_key = \"HOME\"\nenv_key_x = \"HOME\"\n");
	check_auth(&adapter_codex, env, "LOCAL_KEY", 2);
	free(config);
	free(file);
}

static bool pays_by_token(const struct adapter *a, const char *const *env)
{
	struct auth auth;
	bool is;

	assert_true(adapter_auth(a, env, &auth));
	is = auth.by_token;
	auth_finish(&auth);
	return is;
}

/* A subscription, or a login that is unknown, has no price. */
TEST(auth__knows_which_login_pays_by_token)
{
	char *home = mem_printf("HOME=%s", scratch);
	const char *env[] = {home, NULL, NULL};
	int dir = open(scratch, O_RDONLY | O_DIRECTORY);

	assert_false(pays_by_token(&adapter_claude, env));
	write_file(".claude/.credentials.json", "{\"claudeAiOauth\":{}}");
	assert_false(pays_by_token(&adapter_claude, env));
	env[1] = "CLAUDE_CODE_OAUTH_TOKEN=sk-x";
	assert_false(pays_by_token(&adapter_claude, env));
	env[1] = "ANTHROPIC_API_KEY=sk-x";
	assert_true(pays_by_token(&adapter_claude, env));
	env[1] = NULL;
	assert_false(pays_by_token(&adapter_codex, env));
	write_file(".codex/auth.json",
		   "{\"OPENAI_API_KEY\":null,\"tokens\":{\"id_token\":\"x\"}}");
	assert_false(pays_by_token(&adapter_codex, env));
	write_file(".codex/auth.json", "{\"OPENAI_API_KEY\":\"sk-x\"}");
	assert_true(pays_by_token(&adapter_codex, env));
	write_file(".codex/auth.json", "{\"OPENAI_API_KEY\":\"sk-");
	assert_false(pays_by_token(&adapter_codex, env));
	assert_int_equal(unlinkat(dir, ".codex/auth.json", 0), 0);
	assert_int_equal(mkfifoat(dir, ".codex/auth.json", 0600), 0);
	assert_false(pays_by_token(&adapter_codex, env)); /* nothing waits */
	write_file(".gemini/settings.json",
		   "{\"security\":{\"auth\":{\"selectedType\":"
		   "\"oauth-personal\"}}}");
	assert_false(pays_by_token(&adapter_gemini, env));
	write_file(".gemini/settings.json",
		   "{\"security\":{\"auth\":{\"selectedType\":"
		   "\"gemini-api-key\"}}}");
	assert_true(pays_by_token(&adapter_gemini, env));
	close(dir);
	free(home);
}
