/* test_launch.c - the command line and environment harnesses start with. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "adapters/adapter.h"
#include "adapters/launch.h"
#include "adapters/registry.h"
#include "adapters/screen/rules.h"
#include "base/buf.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "support_unit.h"
#include "support_view.h"

static void check_argv(const struct launch *l, const char *want)
{
	struct buf joined = {0};

	for (size_t i = 0; i < l->argv.n; i++)
		buf_addf(&joined, "%s%s", i ? "|" : "", l->argv.v[i]);
	assert_string_equal(joined.data, want);
	buf_finish(&joined);
}

static struct rules *rules_from(const char *json)
{
	cJSON *config = cJSON_Parse(json);
	struct rules *r = rules_create(config, NULL);

	assert_non_null(r);
	cJSON_Delete(config);
	return r;
}

TEST(generic__takes_any_command)
{
	struct spec spec = {.harness = mem_strdup("generic")};
	struct launch_request rq = {.spec = &spec, .door = "/d"};
	struct launch l;
	struct err err = {0};

	assert_int_equal(adapter_prepare(&adapter_generic, &rq, &l, &err), -1);
	assert_int_equal(err.kind, ERR_USAGE);
	strv_add(&spec.command, "sh");
	strv_add(&spec.command, "-c 'x");
	assert_int_equal(adapter_prepare(&adapter_generic, &rq, &l, &err), 0);
	check_argv(&l, "sh|-c 'x");
	assert_false(l.resumed);
	launch_finish(&l);
	rq.resume = true;
	assert_int_equal(adapter_prepare(&adapter_generic, &rq, &l, &err), 0);
	check_argv(&l, "sh|-c 'x");
	assert_non_null(l.why_fresh);
	launch_finish(&l);
	launch_finish(NULL);
	spec_finish(&spec);
}

TEST(generic__is_configured)
{
	struct rules *r = rules_from(
	    "{\"command\":[\"aider --no-auto\"],"
	    "\"resume\":[\"aider --restore '{conversation}.md'\"],"
	    "\"system_prompt\":[\"--sys {system_prompt}\"],"
	    "\"interrupt\":[\"C-c C-c\"],\"ready_timeout\":[\"7\"]}");
	struct spec spec = {.harness = mem_strdup("aider"),
			    .system_prompt = mem_strdup("be 'kind'")};
	struct launch_request rq = {.spec = &spec, .rules = r};
	const struct adapter *a = adapter_find("aider");
	struct buf keys = {0};
	struct launch l;

	assert_ptr_equal(a, &adapter_generic);
	strv_add(&spec.command, "--yes");
	assert_int_equal(adapter_prepare(a, &rq, &l, NULL), 0);
	check_argv(&l, "aider|--no-auto|--sys|be 'kind'|--yes");
	launch_finish(&l);
	assert_true(adapter_can_resume(a, r));
	rq.resume = true;
	assert_int_equal(adapter_prepare(a, &rq, &l, NULL), 0);
	assert_false(l.resumed); /* which one? */
	launch_finish(&l);
	rq.conversation = "c_1";
	assert_int_equal(adapter_prepare(a, &rq, &l, NULL), 0);
	check_argv(&l, "aider|--restore|c_1.md|--sys|be 'kind'|--yes");
	assert_true(l.resumed);
	launch_finish(&l);
	adapter_interrupt(a, r, &(struct screen_state){0}, &(size_t){0}, &keys);
	assert_string_equal(keys.data, "\003\003");
	assert_int_equal(adapter_ready_timeout_ms(r), 7);
	assert_int_equal(adapter_ready_timeout_ms(NULL), 30000);
	buf_finish(&keys);
	spec_finish(&spec);
	rules_destroy(r);
}

static bool has_dir(const char *harness, const struct rules *r,
		    const char *argument)
{
	struct spec spec = {.harness = mem_strdup(harness),
			    .worktree = mem_strdup("/w/web")};
	const char *env[] = {"HOME=/none", NULL};
	struct launch_request rq = {
	    .spec = &spec, .rules = r, .environ_now = env};
	_json_ cJSON *made = cJSON_CreateObject();
	struct launch l;
	bool has;

	json_set_str(made, "worktree", "/w/api");
	spec_add_with(&spec, "/src/api");
	spec_set_with(&spec, 1, made);
	assert_int_equal(adapter_prepare(adapter_find(harness), &rq, &l, NULL),
			 0);
	has = argument ? strv_has(&l.argv, argument)
		       : l.degraded.n == 1 &&
			     strstr(l.degraded.v[0], "takes no other director");
	launch_finish(&l);
	spec_finish(&spec);
	return has;
}

TEST(all__are_given_the_other_worktrees)
{
	struct rules *r = rules_from("{\"command\":[\"x\"],"
				     "\"add_dir\":[\"--dir={dir}\"]}");
	struct rules *none = rules_from("{\"command\":[\"x\"]}");

	assert_true(has_dir("claude", NULL, "--add-dir=/w/api"));
	assert_true(has_dir("codex", NULL, "--add-dir=/w/api"));
	assert_true(has_dir("gemini", NULL, "--include-directories=/w/api"));
	assert_true(has_dir("x", r, "--dir=/w/api"));
	assert_true(has_dir("x", none, NULL));
	rules_destroy(r);
	rules_destroy(none);
}

/* The newest of the session's directory; nothing waits for a FIFO, is too long
 * or leaves the directory. */
TEST(generic__finds_its_conversation)
{
	char dir[] = "/tmp/afw.XXXXXX", *file = NULL, *home = NULL;
	struct rules *r = rules_from(
	    "{\"command\":[\"x\"],\"resume\":[\"x --id {conversation}\"],"
	    "\"conversation_file\":[\"~/s/*/*.json\"],"
	    "\"conversation_cwd\":[\"at.cwd\"]}");
	struct spec spec = {.harness = mem_strdup("x"),
			    .worktree = mem_strdup("/tree"),
			    .created_at = 1000};
	const char *env[] = {NULL, NULL};
	struct launch_request rq = {
	    .spec = &spec, .rules = r, .resume = true, .environ_now = env};
	static const struct {
		const char *name, *text;
		int at;
	} t[] = {
	    {"s/a/one.json", "{\"at\":\n{\"cwd\":\"/tree\"}}", 10},
	    {"s/a/other.json", "{\"at\":{\"cwd\":\"/else\"}}", 30},
	    {"s/a/none.json", "{\"at\":{\"cwd\":7}}", 30},
	    {"s/a/wrong.json", "[{\"at\"", 30},
	    {"s/a/-x.json", "{\"at\":{\"cwd\":\"/tree\"}}", 30},
	    {"s/two.json", "{\"at\":{\"cwd\":\"/tree\"}}", 30},
	    {"s/a/two.jsonl", "{\"at\":{\"cwd\":\"/tree\"}}", 30},
	};
	struct launch l;
	int fd;

	assert_non_null(mkdtemp(dir));
	env[0] = home = mem_printf("HOME=%s", dir);
	assert_int_equal(adapter_prepare(&adapter_generic, &rq, &l, NULL), 0);
	assert_false(l.resumed);
	launch_finish(&l);
	for (size_t i = 0; i < sizeof t / sizeof t[0]; i++) {
		struct timespec at = {.tv_sec = t[i].at}, times[] = {at, at};

		file = file_join(dir, "s");
		mkdir(file, 0700);
		free(file);
		file = file_join(dir, "s/a");
		mkdir(file, 0700);
		free(file);
		file = file_join(dir, t[i].name);
		fd = open(file, O_WRONLY | O_CREAT, 0600);
		assert_int_equal(
		    file_write_all(fd, t[i].text, strlen(t[i].text)), 0);
		assert_int_equal(futimens(fd, times), 0);
		close(fd);
		free(file);
	}
	file = file_join(dir, "s/a/pipe.json");
	assert_int_equal(mkfifo(file, 0600), 0);
	free(file);
	file = file_join(dir, "s/a/link.json");
	assert_int_equal(symlink("../two.json", file), 0);
	free(file);
	file = file_join(dir, "s/a/large.json"); /* 2 GB of nothing */
	fd = open(file, O_WRONLY | O_CREAT, 0600);
	assert_int_equal(ftruncate(fd, (off_t)2 << 30), 0);
	close(fd);
	free(file);
	rq.conversation = "older";
	assert_int_equal(adapter_prepare(&adapter_generic, &rq, &l, NULL), 0);
	check_argv(&l, "x|--id|one");
	assert_string_equal(l.conversation, "one");
	launch_finish(&l);
	spec.created_at = 11000; /* an earlier session's */
	assert_int_equal(adapter_prepare(&adapter_generic, &rq, &l, NULL), 0);
	check_argv(&l, "x|--id|older");
	launch_finish(&l);
	delete_tree(AT_FDCWD, dir, NULL);
	free(home);
	spec_finish(&spec);
	rules_destroy(r);
}

static const char *after(const struct launch *l, const char *flag)
{
	for (size_t i = 0; i + 1 < l->argv.n; i++)
		if (strcmp(l->argv.v[i], flag) == 0)
			return l->argv.v[i + 1];
	return NULL;
}

/* A value that a harness reports becomes part of a command line. */
TEST(launch__no_conversation_is_an_option_or_a_path)
{
	static const char *const bad[] = {
	    "",	    "--dangerously-bypass-approvals-and-sandbox",
	    "-c",   ".",
	    "../x", "a b",
	    "a\nb", "/etc/passwd",
	    "é",    "$(id)",
	};
	static const char *const good[] = {"ses_6e1fAB", "0198-7a",
					   "thread:1.2", "a"};
	char *longest = mem_printf("%0128d", 0);
	char *longer = mem_printf("%0129d", 0);
	struct spec spec = {.harness = mem_strdup("codex")};
	struct launch_request rq = {.spec = &spec, .resume = true};
	struct launch l;

	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(record_id_ok(good[i]));
	assert_true(record_id_ok(longest));
	assert_false(record_id_ok(longer));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_false(record_id_ok(bad[i]));
		rq.conversation = bad[i];
		assert_int_equal(adapter_prepare(&adapter_codex, &rq, &l, NULL),
				 0);
		assert_null(after(&l, "resume"));
		assert_non_null(l.why_fresh);
		launch_finish(&l);
	}
	spec_finish(&spec);
	free(longest);
	free(longer);
}

/* ---- claude ---- */

struct world {
	char dir[64];
	char *config_env, *transcript_dir;
	const char *environ_now[2];
	const char *hook[3];
	struct spec spec;
	struct rules *rules;
	struct launch_request rq;
};

static void world_init(struct world *w)
{
	memset(w, 0, sizeof *w);
	strcpy(w->dir, "/tmp/afw-adapter.XXXXXX");
	assert_non_null(mkdtemp(w->dir));
	w->config_env = mem_printf("CLAUDE_CONFIG_DIR=%s", w->dir);
	w->transcript_dir = mem_printf("%s/projects/-a", w->dir);
	w->environ_now[0] = w->config_env;
	w->hook[0] = "/opt/my programs/it's afw";
	w->hook[1] = "hook";
	w->spec.harness = mem_strdup("claude");
	w->rq = (struct launch_request){
	    .spec = &w->spec,
	    .home = w->dir,
	    .rules = w->rules = rules_of("claude"),
	    .door = "/door",
	    .hook = w->hook,
	    .environ_now = w->environ_now,
	};
}

static void world_finish(struct world *w)
{
	assert_int_equal(delete_tree(AT_FDCWD, w->dir, NULL), 0);
	rules_destroy(w->rules);
	free(w->config_env);
	free(w->transcript_dir);
	spec_finish(&w->spec);
}

static bool has_env(const struct launch *l, const char *entry)
{
	for (size_t i = 0; i < l->env.n; i++)
		if (strcmp(l->env.v[i], entry) == 0)
			return true;
	return false;
}

TEST(claude__starts_with_an_id_and_hooks)
{
	struct world w;
	struct launch l;
	struct buf text = {0};
	struct stat st;
	cJSON *settings;

	world_init(&w);
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_string_equal(l.argv.v[0], "claude");
	assert_string_equal(after(&l, "--session-id"), l.conversation);
	assert_int_equal(strlen(l.conversation), 36);
	assert_true(has_env(&l, "CLAUDECODE"));
	assert_false(has_env(&l, "CLAUDE_CODE_SANDBOXED=1"));
	assert_int_equal(stat(after(&l, "--settings"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	file_read(AT_FDCWD, after(&l, "--settings"), 100000, &text, NULL);
	settings = json_parse_object(text.data, text.len, NULL);
	assert_non_null(settings);
	assert_non_null(strstr(text.data, "'/opt/my programs/it'\\\\''s afw' "
					  "'hook' 'UserPromptSubmit'"));
	cJSON_Delete(settings);
	buf_finish(&text);
	launch_finish(&l);

	w.rq.trusted = true;
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_true(has_env(&l, "CLAUDE_CODE_SANDBOXED=1"));
	launch_finish(&l);
	world_finish(&w);
}

/* A section's hooks and settings, in a file of the session. */
TEST(generic__gets_the_hooks_of_its_section)
{
	struct rules *r = rules_from(
	    "{\"command\":[\"x\"],\"settings\":[\"--set={settings}\"],"
	    "\"settings_json\":[\"{\\\"a\\\":{\\\"b\\\":false}}\"],"
	    "\"env\":[\"X_SETTINGS={settings}\"],"
	    "\"hook_prompt\":[\"Asked\"],\"hook_done\":[\"Ended Left\"]}");
	cJSON *section = cJSON_Parse("{\"hook_prompt\":[\"Asked\"]}");
	struct buf text = {0};
	char *path, *want;
	struct reading said;
	struct launch l;
	struct world w;

	world_init(&w);
	w.rq.rules = r;
	assert_ptr_equal(adapter_of("x", section), &adapter_hooked);
	assert_ptr_equal(adapter_of("x", NULL), &adapter_generic);
	assert_ptr_equal(adapter_of("claude", section), &adapter_claude);
	assert_int_equal(adapter_prepare(&adapter_hooked, &w.rq, &l, NULL), 0);
	path = file_join(w.dir, "settings.json");
	want = mem_printf("x|--set=%s", path);
	check_argv(&l, want);
	free(want);
	want = mem_printf("X_SETTINGS=%s", path);
	assert_true(has_env(&l, want));
	free(want);
	assert_int_equal(file_read(AT_FDCWD, path, 100000, &text, NULL), 0);
	assert_non_null(strstr(text.data, "{\"a\":{\"b\":false},\"hooks\":{"
					  "\"Asked\":[{"));
	assert_non_null(strstr(text.data, "'hook' 'Left'"));
	assert_null(strstr(text.data, "timeout"));
	buf_finish(&text);
	launch_finish(&l);

	strv_add(&w.spec.command, "--set=mine");
	assert_int_equal(adapter_prepare(&adapter_hooked, &w.rq, &l, NULL), 0);
	check_argv(&l, "x|--set=mine");
	assert_int_equal(l.degraded.n, 1);
	launch_finish(&l);

	assert_true(adapter_hooked.hook(r, "Asked", NULL, &said));
	assert_true(said.turn_started);
	assert_true(adapter_hooked.hook(r, "Left", NULL, &said));
	assert_true(said.turn_ended);
	assert_false(adapter_hooked.hook(r, "Stop", NULL, &said));
	cJSON_Delete(section);
	free(path);
	rules_destroy(r);
	world_finish(&w);
}

TEST(claude__resumes_what_has_a_transcript)
{
	struct world w;
	struct launch l;
	char *path;
	int fd;

	world_init(&w);
	w.rq.resume = true;
	w.rq.conversation = "0-1";
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_false(l.resumed);
	assert_non_null(l.why_fresh);
	assert_non_null(after(&l, "--session-id"));
	launch_finish(&l);

	path = mem_printf("%s/projects", w.dir);
	mkdir(path, 0700);
	free(path);
	mkdir(w.transcript_dir, 0700);
	path = mem_printf("%s/0-1.jsonl", w.transcript_dir);
	fd = open(path, O_CREAT | O_WRONLY, 0600);
	assert_true(fd >= 0);
	close(fd);
	free(path);
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_true(l.resumed);
	assert_string_equal(after(&l, "--resume"), "0-1");
	assert_string_equal(l.conversation, "0-1");
	assert_null(after(&l, "--session-id"));
	launch_finish(&l);

	w.rq.resume = false;
	w.rq.fork = "0-1";
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_false(l.resumed);
	assert_string_equal(after(&l, "--resume"), "0-1");
	assert_string_equal(after(&l, "--fork-session"), "--session-id");
	assert_string_equal(after(&l, "--session-id"), l.conversation);
	assert_string_not_equal(l.conversation, "0-1");
	launch_finish(&l);
	w.rq.fork = "0-2";
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_non_null(strstr(l.why_fresh, "0-2"));
	assert_null(after(&l, "--resume"));
	launch_finish(&l);
	w.rq.fork = NULL;
	w.rq.resume = true;

	/* An id that a harness could have invented is not used as a path. */
	w.rq.conversation = "../-a/0-1";
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_false(l.resumed);
	launch_finish(&l);
	world_finish(&w);
}

TEST(claude__leaves_the_users_flags_alone)
{
	struct world w;
	struct launch l;

	world_init(&w);
	strv_add(&w.spec.command, "--settings=mine");
	strv_add(&w.spec.command, "--continue");
	w.spec.system_prompt = mem_strdup("be brief");
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	check_argv(&l, "claude|--append-system-prompt|be brief|"
		       "--settings=mine|--continue");
	assert_null(l.conversation);
	assert_int_equal(l.degraded.n, 1);
	launch_finish(&l);
	world_finish(&w);
}

/* ---- the others ---- */

TEST(opencode__resumes_that_conversation_or_none)
{
	struct spec spec = {.harness = mem_strdup("opencode")};
	struct launch_request rq = {
	    .spec = &spec, .resume = true, .conversation = "ses_1"};
	struct launch l;

	assert_int_equal(adapter_prepare(&adapter_opencode, &rq, &l, NULL), 0);
	assert_true(l.resumed);
	assert_string_equal(l.argv.v[1], "-s");
	assert_string_equal(l.argv.v[2], "ses_1");
	launch_finish(&l);

	rq.conversation = NULL;
	assert_int_equal(adapter_prepare(&adapter_opencode, &rq, &l, NULL), 0);
	assert_false(l.resumed);
	for (size_t i = 0; i < l.argv.n; i++)
		assert_string_not_equal(l.argv.v[i], "--continue");
	assert_non_null(l.why_fresh);
	launch_finish(&l);
	spec_finish(&spec);
}

/* The configuration that OpenCode gets, with text as the user's own. */
static char *opencode_config(const char *text, const char *mcp,
			     struct launch *l)
{
	static const char *const hook[] = {"afw-supervisor", "hook", NULL};
	const char *const env[] = {text, NULL};
	struct spec spec = {.harness = mem_strdup("opencode"),
			    .mcp = cJSON_Parse(mcp)};
	struct launch_request rq = {.spec = &spec,
				    .hook = hook,
				    .door = "/home/door",
				    .environ_now = env};
	char *config = NULL;

	setenv("AF_SHARE_DIR", "/a b", 1);
	assert_int_equal(adapter_prepare(&adapter_opencode, &rq, l, NULL), 0);
	unsetenv("AF_SHARE_DIR");
	for (size_t i = 0; i < l->env.n; i++)
		if (strncmp(l->env.v[i], "OPENCODE_CONFIG_CONTENT=", 24) == 0)
			config = mem_strdup(l->env.v[i] + 24);
	spec_finish(&spec);
	return config;
}

TEST(opencode__adds_its_plugin_to_what_the_user_has)
{
	static const char ours[] = "file:///a%20b/adapters/opencode-plugin.js";
	struct launch l;
	char *config, want[200];

	config = opencode_config("X=1", NULL, &l);
	snprintf(want, sizeof want, "{\"plugin\":[\"%s\"]}", ours);
	assert_string_equal(config, want);
	launch_finish(&l);
	free(config);

	config = opencode_config("OPENCODE_CONFIG_CONTENT="
				 "{\"theme\":\"x\",\"plugin\":[\"mine\"]}",
				 NULL, &l);
	snprintf(want, sizeof want,
		 "{\"theme\":\"x\",\"plugin\":[\"mine\",\"%s\"]}", ours);
	assert_string_equal(config, want);
	assert_int_equal(l.degraded.n, 0);
	launch_finish(&l);
	free(config);

	config =
	    opencode_config("OPENCODE_CONFIG_CONTENT={ // mine\n}", NULL, &l);
	assert_null(config); /* as it is */
	assert_int_equal(l.degraded.n, 1);
	launch_finish(&l);
}

TEST(opencode__leaves_a_member_of_another_type_as_it_is)
{
	static const char users[] = "{\"plugin\":\"mine\",\"mcp\":[1]}";
	char text[100], *config;
	struct launch l;

	snprintf(text, sizeof text, "OPENCODE_CONFIG_CONTENT=%s", users);
	config = opencode_config(text, "{\"x\":{\"url\":\"http://y\"}}", &l);
	assert_string_equal(config, users);
	assert_int_equal(l.degraded.n, 2);
	assert_string_equal(l.degraded.v[0],
			    "OPENCODE_CONFIG_CONTENT: \"mcp\" is not an "
			    "object: MCP servers are not given");
	assert_string_equal(l.degraded.v[1],
			    "OPENCODE_CONFIG_CONTENT: \"plugin\" is not a "
			    "list: hooks are off; activity comes from the "
			    "terminal alone");
	launch_finish(&l);
	free(config);
}

TEST(codex__starts_without_a_daemon)
{
	struct spec spec = {.harness = mem_strdup("codex"),
			    .repository = mem_strdup("/my \"repo\""),
			    .worktree = mem_strdup("/tree"),
			    .system_prompt = mem_strdup("a\nb")};
	struct launch_request rq = {.spec = &spec, .trusted = true};
	struct launch l;

	assert_int_equal(adapter_prepare(&adapter_codex, &rq, &l, NULL), 0);
	check_argv(&l, "codex|--disable|daemon_auto_start|-c|"
		       "check_for_update_on_startup=false|-c|"
		       "tui.show_tooltips=false|-c|"
		       "projects={\"/my \\\"repo\\\"\"="
		       "{trust_level=\"trusted\"},\"/tree\"="
		       "{trust_level=\"trusted\"}}|-c|"
		       "developer_instructions=\"a\\u000ab\"");
	launch_finish(&l);
	/* Never "the last one": that may be another session's. */
	rq.resume = true;
	assert_int_equal(adapter_prepare(&adapter_codex, &rq, &l, NULL), 0);
	assert_false(l.resumed);
	assert_non_null(l.why_fresh);
	assert_string_equal(l.argv.v[1], "--disable");
	launch_finish(&l);
	spec_finish(&spec);
}
