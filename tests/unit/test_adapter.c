/* test_adapter.c - what adapters share, and how they start harnesses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "adapters/adapter.h"
#include "adapters/guard.h"
#include "adapters/keys.h"
#include "adapters/registry.h"
#include "adapters/rules.h"
#include "base/file.h"
#include "base/json.h"
#include "support_view.h"

#include <fcntl.h>

/* ---- keys ---- */

static void test_keys__have_names(void **state)
{
	struct buf b = {0};
	struct err err;

	(void)state;
	assert_int_equal(keys_parse("Escape C-c  Up x", &b, &err), 0);
	assert_string_equal(b.data, "\033\003\033[Ax");
	assert_int_equal(keys_parse("C-", &b, &err), -1);
	assert_int_equal(keys_parse(" ", &b, &err), -1);
	buf_finish(&b);
}

/* ---- OSC 7501 ---- */

static void test_program_status__is_understood(void **state)
{
	struct reading r;

	(void)state;
	assert_true(adapter_program_status("state=idle:app=claude-code", &r));
	assert_int_equal(r.source, SOURCE_PROGRAM_STATUS);
	assert_int_equal(r.activity, ACTIVITY_IDLE);
	assert_true(
	    adapter_program_status("state=blocked:app=x:kind=permission:msg="
				   "YXBwcm92ZSBCYXNoOiBlY2hvIGEgPiBxLnR4dA==",
				   &r));
	assert_int_equal(r.activity, ACTIVITY_WAITING_FOR_INPUT);
	assert_true(r.question);
	assert_string_equal(r.detail, "approve Bash: echo a > q.txt");
	assert_true(adapter_program_status("state=blocked:kind=auth", &r));
	assert_string_equal(r.detail, "asks to log in");
	/* ESC ] 0 ; x BEL, as base64 */
	assert_true(adapter_program_status("state=working:msg=G10wO3gH", &r));
	assert_string_equal(r.detail, "?]0;x?");
	assert_true(adapter_program_status("state=error:msg=%%%", &r));
	assert_true(r.failed && r.turn_ended);
	assert_string_equal(r.detail, "");
	assert_true(adapter_program_status("state=clear", &r));
	assert_int_equal(r.activity, ACTIVITY_NONE);
	assert_false(adapter_program_status("?", &r));
	assert_false(adapter_program_status("", &r));
	assert_false(adapter_program_status("state=", &r));
	assert_false(adapter_program_status("state=idler", &r));
	assert_false(adapter_program_status("xstate=idle", &r));
}

/* ---- the default echo ---- */

static bool echoed(const char *before, const char *now, const char *text)
{
	struct recorded b, n;
	bool seen;

	recorded_text(&b, before, 40);
	recorded_text(&n, now, 40);
	seen = adapter_echoed(&adapter_generic, NULL, &b.view, &n.view, text,
			      strlen(text));
	recorded_finish(&b);
	recorded_finish(&n);
	return seen;
}

static void test_echo__is_seen_where_it_is(void **state)
{
	(void)state;
	assert_true(echoed("$ ", "$ hello", "hello"));
	assert_true(echoed("$ ", "$ y", "y"));
	assert_false(echoed("$ ", "$ hell", "hello"));
	assert_false(echoed("$ ", "$ ", "hello"));
	/* wrapped, and inside a frame */
	assert_true(echoed("", "│ > one two th │\n│   ree", "one two three"));
	assert_true(echoed("> ", "> a\nlast  line", "a\n\nlast line\n"));
	/* it was there before, and nothing has come */
	assert_false(echoed("hello\n$ ", "hello\n$ ", "hello"));
	/* the cursor is elsewhere */
	assert_true(echoed("hello\n> ", "hello\n> hello\n\nstatus", "hello"));
}

/* ---- command lines ---- */

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

static void test_generic__takes_any_command(void **state)
{
	struct spec spec = {.harness = mem_strdup("generic")};
	struct launch_request rq = {.spec = &spec, .door = "/d"};
	struct launch l;
	struct err err = {0};

	(void)state;
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
	assert_int_equal(l.degraded.n, 1);
	launch_finish(&l);
	launch_finish(NULL);
	spec_finish(&spec);
}

static void test_generic__is_configured(void **state)
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

	(void)state;
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
	adapter_interrupt(a, r, &keys);
	assert_string_equal(keys.data, "\003\003");
	assert_int_equal(adapter_ready_timeout_ms(a, r), 7);
	assert_int_equal(adapter_ready_timeout_ms(a, NULL), 30000);
	buf_finish(&keys);
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

/* What a harness says of itself becomes part of a command line. */
static void test_adapter__no_conversation_is_an_option_or_a_path(void **state)
{
	static const char *const bad[] = {
	    "", "--dangerously-bypass-approvals-and-sandbox", "-c", ".", "../x",
	    "a b", "a\nb", "/etc/passwd", "é", "$(id)",
	};
	static const char *const good[] = {
	    "ses_6e1fAB", "0198-7a", "thread:1.2", "a"};
	char *longest = mem_printf("%0128d", 0);
	char *longer = mem_printf("%0129d", 0);
	struct spec spec = {.harness = mem_strdup("codex")};
	struct launch_request rq = {.spec = &spec, .resume = true};
	struct launch l;

	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
		assert_true(adapter_conversation_ok(good[i]));
	assert_true(adapter_conversation_ok(longest));
	assert_false(adapter_conversation_ok(longer));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		assert_false(adapter_conversation_ok(bad[i]));
		rq.conversation = bad[i];
		assert_int_equal(
		    adapter_prepare(&adapter_codex, &rq, &l, NULL), 0);
		assert_string_equal(after(&l, "resume"), "--last");
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
	    .door = "/door",
	    .hook = w->hook,
	    .environ_now = w->environ_now,
	};
}

static void world_finish(struct world *w)
{
	static const char *const files[] = {"projects/-a/0-1.jsonl",
					    "projects/-a", "projects",
					    "claude-settings.json"};

	for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
		char *path = file_join(w->dir, files[i]);

		remove(path);
		free(path);
	}
	assert_int_equal(rmdir(w->dir), 0);
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

static void test_claude__starts_with_an_id_and_hooks(void **state)
{
	struct world w;
	struct launch l;
	struct buf text = {0};
	struct stat st;
	cJSON *settings;

	(void)state;
	world_init(&w);
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_string_equal(l.argv.v[0], "claude");
	assert_string_equal(after(&l, "--session-id"), l.conversation);
	assert_int_equal(strlen(l.conversation), 36);
	assert_true(has_env(&l, "AF_DOOR=/door"));
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

static void test_claude__resumes_what_has_a_transcript(void **state)
{
	struct world w;
	struct launch l;
	char *path;
	int fd;

	(void)state;
	world_init(&w);
	w.rq.resume = true;
	w.rq.conversation = "0-1";
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_false(l.resumed);
	assert_int_equal(l.degraded.n, 1);
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

	/* An id that a harness could have made up is no path. */
	w.rq.conversation = "../-a/0-1";
	assert_int_equal(adapter_prepare(&adapter_claude, &w.rq, &l, NULL), 0);
	assert_false(l.resumed);
	launch_finish(&l);
	world_finish(&w);
}

static void test_claude__leaves_the_users_flags_alone(void **state)
{
	struct world w;
	struct launch l;

	(void)state;
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

static void test_codex__starts_without_a_daemon(void **state)
{
	struct spec spec = {.harness = mem_strdup("codex"),
			    .repository = mem_strdup("/my \"repo\""),
			    .system_prompt = mem_strdup("a\nb")};
	struct launch_request rq = {.spec = &spec, .trusted = true};
	struct launch l;

	(void)state;
	assert_int_equal(adapter_prepare(&adapter_codex, &rq, &l, NULL), 0);
	check_argv(&l, "codex|--disable|daemon_auto_start|-c|"
		       "check_for_update_on_startup=false|-c|"
		       "projects={\"/my \\\"repo\\\"\"="
		       "{trust_level=\"trusted\"}}|-c|"
		       "developer_instructions=\"a\\u000ab\"");
	launch_finish(&l);
	rq.resume = true;
	assert_int_equal(adapter_prepare(&adapter_codex, &rq, &l, NULL), 0);
	assert_string_equal(l.argv.v[1], "resume");
	assert_string_equal(l.argv.v[2], "--last");
	launch_finish(&l);
	spec_finish(&spec);
}

static enum activity title(const struct adapter *a, const char *text)
{
	struct reading r;

	return adapter_title_says(a, text, &r) ? r.activity : ACTIVITY_NONE;
}

static void test_titles__tell_what_they_can(void **state)
{
	(void)state;
	assert_int_equal(title(&adapter_claude, "✳ x"), ACTIVITY_IDLE);
	assert_int_equal(title(&adapter_claude, "◐ x"), ACTIVITY_WORKING);
	assert_int_equal(title(&adapter_claude, "x"), ACTIVITY_NONE);
	assert_int_equal(title(&adapter_codex, "⠋ repo"), ACTIVITY_WORKING);
	assert_int_equal(title(&adapter_codex, "[ ! ] Action Required"),
			 ACTIVITY_WAITING_FOR_INPUT);
	assert_int_equal(title(&adapter_codex, ""), ACTIVITY_NONE);
	assert_int_equal(title(&adapter_gemini, "✋ Action Required (r)"),
			 ACTIVITY_WAITING_FOR_INPUT);
	assert_int_equal(title(&adapter_gemini, "✦ Working…"),
			 ACTIVITY_WORKING);
	assert_int_equal(title(&adapter_gemini, "◇ Ready (r)"), ACTIVITY_IDLE);
	assert_int_equal(title(&adapter_opencode, "x"), ACTIVITY_NONE);
	assert_int_equal(title(&adapter_generic, "x"), ACTIVITY_NONE);
}

static void check_guard(const struct adapter *a, const char *text,
			const char *want)
{
	struct buf out = {0};

	adapter_guard(a, text, strlen(text), &out);
	assert_string_equal(out.data, want);
	buf_finish(&out);
}

static void test_guards__are_each_harnesss_own(void **state)
{
	(void)state;
	check_guard(&adapter_generic, "/x \\", "/x \\");
	check_guard(&adapter_codex, "/x", " /x");
	check_guard(&adapter_codex, "!x see @src", " !x see @src ");
	check_guard(&adapter_codex, "mail a@b", "mail a@b");
	check_guard(&adapter_gemini, "!x \\", "\n!x \\ ");
	check_guard(&adapter_gemini, " /x y", GUARD_JOINER " /x y");
	check_guard(&adapter_gemini, "/tmp/x", "/tmp/x");
	check_guard(&adapter_opencode, "/x @y", " /x @y ");
	check_guard(&adapter_opencode, "exit\n", "exit\n" GUARD_JOINER);
	check_guard(&adapter_opencode, "exit now", "exit now");
}

static void test_adapters__are_complete(void **state)
{
	(void)state;
	for (size_t i = 0; adapters[i]; i++) {
		assert_ptr_equal(adapter_find(adapters[i]->name), adapters[i]);
		assert_non_null(adapters[i]->title);
		assert_non_null(adapters[i]->prepare);
		assert_non_null(adapters[i]->interrupt);
		if (adapters[i]->programs)
			assert_non_null(adapters[i]->install_hint);
	}
	assert_ptr_equal(adapter_find(NULL), &adapter_generic);
	for (int s = 0; s < SOURCE_COUNT; s++)
		assert_true(source_name((enum source)s)[0] != '\0');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_keys__have_names),
	    cmocka_unit_test(test_program_status__is_understood),
	    cmocka_unit_test(test_echo__is_seen_where_it_is),
	    cmocka_unit_test(test_generic__takes_any_command),
	    cmocka_unit_test(test_generic__is_configured),
	    cmocka_unit_test(test_adapter__no_conversation_is_an_option_or_a_path),
	    cmocka_unit_test(test_claude__starts_with_an_id_and_hooks),
	    cmocka_unit_test(test_claude__resumes_what_has_a_transcript),
	    cmocka_unit_test(test_claude__leaves_the_users_flags_alone),
	    cmocka_unit_test(test_codex__starts_without_a_daemon),
	    cmocka_unit_test(test_titles__tell_what_they_can),
	    cmocka_unit_test(test_guards__are_each_harnesss_own),
	    cmocka_unit_test(test_adapters__are_complete),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
