/*
 * test_adapter_claude.c - Claude Code's screens, recorded from the real
 * program (2.1.329), and its hook events.
 */
#include "adapters/adapter.h"
#include "adapters/registry.h"
#include "adapters/screen/rules.h"
#include "base/json.h"
#include "support_unit.h"
#include "support_view.h"

static const struct screen_case screens[] = {
    {"claude-idle", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
    {"claude-idle-narrow", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
    {"claude-idle-24rows", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
    {"claude-after-cc", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
    {"claude-denied", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
    {"claude-draft", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-multi", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-scrolled", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-collapsed", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-slash-popup", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-at-popup", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-bash-mode", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-bash-mode-paste", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
    {"claude-busy", COMPOSER_EMPTY, ACTIVITY_WORKING, false, "Transmuting"},
    {"claude-busy-narrow", COMPOSER_EMPTY, ACTIVITY_WORKING, false, "Churning"},
    {"claude-thinking", COMPOSER_EMPTY, ACTIVITY_WORKING, false, "Ebbing"},
    {"claude-retrying", COMPOSER_EMPTY, ACTIVITY_WORKING, false,
     "529 Overloaded · retrying in 15s · attempt 6/10"},
    {"claude-queued", COMPOSER_EMPTY, ACTIVITY_WORKING, false, NULL},
    {"claude-approve-bash", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Bash command: echo hi > x.txt"},
    {"claude-approve-bash-narrow", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT,
     true, "Bash command: npm test"},
    {"claude-approve-bash-wide", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT,
     true, "Bash command: touch aa"},
    {"claude-approve-write", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Do you want to create new2.txt?"},
    {"claude-approve-edit", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Do you want to make this edit to new.txt?"},
    {"claude-approve-plan", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Exit plan mode?"},
    {"claude-plan-ready", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Would you like to proceed?"},
    {"claude-auto-approve", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Bash command: make zz"},
    {"claude-auto-fetch", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Do you want to allow Claude to fetch this content?"},
    {"claude-ask-question-wide", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT,
     true, "Which color do you like?"},
    {"claude-ask-multi-wide", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Which colors?"},
    {"claude-model-menu", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Select model"},
    {"claude-dialog-clipped", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Auto mode can't check actions"},
    {"claude-auto-mode", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "Auto mode can't check actions in this session"},
    {"claude-trust", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "may trust this directory"},
    {"claude-trust-narrow", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
     "may trust this directory"},
    /* A pager: nothing can be typed, but nothing is asked. */
    {"claude-transcript", COMPOSER_ABSENT, ACTIVITY_NONE, false, NULL},
};

TEST(claude__tells_every_recorded_screen)
{
	struct rules *rules = rules_of("claude");

	assert_int_equal(screens_check(&adapter_claude, rules, screens,
				       sizeof screens / sizeof screens[0]),
			 0);
	rules_destroy(rules);
}

/* A key that would approve something must not depend on a file that may be
 * missing. */
TEST(claude__needs_no_rules_to_be_safe)
{
	for (size_t i = 0; i < sizeof screens / sizeof screens[0]; i++) {
		struct recorded r;
		struct screen_state look;

		recorded_load(&r, screens[i].name);
		adapter_read_screen(&adapter_claude, NULL, &r.view, &look);
		recorded_finish(&r);
		if (look.composer != screens[i].composer ||
		    look.reading.question != screens[i].question)
			fail_msg("%s", screens[i].name);
	}
}

TEST(claude__sees_the_echo)
{
	static const struct {
		const char *screen, *text;
		bool seen;
	} cases[] = {
	    {"claude-draft", "draft text", true},
	    {"claude-draft", "draft texts", false},
	    {"claude-draft", "other\n\ndraft text\n", true},
	    {"claude-multi", "line one\nline two\nline three", true},
	    {"claude-multi", "line one\nline two", false},
	    {"claude-multi", "line three", false}, /* not alone */
	    {"claude-draft", "text", false},
	    {"claude-scrolled",
	     "hidden word22 and word23 and word24 and word25 and word26 and "
	     "word27 and word28 and word29 and word30 and word31 and word32 "
	     "and word33 and word34 and word35 and word36 and word37 and "
	     "word38 and word39 and word40 and word41 and word42 and word43 "
	     "and word44 and word45 and word46 and word47 and word48 and "
	     "word49 and word50 and word51 and word52 and word53 and word54 "
	     "and word55 and word56 and word57 and word58 and word59 and "
	     "word60 and word61 and word62 and word63 and word64 and word6",
	     true},
	    {"claude-scrolled", "word62 and word63 and word64 and word6",
	     false}, /* not alone */
	    {"claude-scrolled", "word63 and word64 and word", false},
	    {"claude-collapsed", "anything\nthat is\nlong", true},
	    {"claude-idle", "draft text", false},
	    {"claude-queued", "Press up to edit queued messages", false},
	    {"claude-approve-bash", "echo hi > x.txt", false},
	};
	struct recorded before;

	recorded_load(&before, "claude-idle");
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct recorded r;
		bool seen;

		recorded_load(&r, cases[i].screen);
		seen =
		    adapter_echoed(&adapter_claude, NULL, &before.view, &r.view,
				   cases[i].text, strlen(cases[i].text));
		recorded_finish(&r);
		if (seen != cases[i].seen)
			fail_msg("%s: \"%s\"", cases[i].screen, cases[i].text);
	}
	recorded_finish(&before);
}

static struct screen_state read_at(const char *screen)
{
	struct rules *rules = rules_of("claude");
	struct recorded r;
	struct screen_state look;

	recorded_load(&r, screen);
	adapter_read_screen(&adapter_claude, rules, &r.view, &look);
	recorded_finish(&r);
	rules_destroy(rules);
	return look;
}

/* For a dialog that a person must answer and that is not an approval. */
TEST(claude__knows_the_row_of_a_dialogs_keys)
{
	assert_string_equal(read_at("claude-auto-mode").dialog.keys,
			    "Enter to stay in auto mode · shift+Tab to leave "
			    "for accept edits mode and stop · Esc to cancel");
	assert_string_equal(read_at("claude-model-menu").dialog.keys,
			    "s to use this session only · Enter to save · Esc "
			    "to cancel");
	assert_string_equal(read_at("claude-dialog-clipped").dialog.keys, "");
	assert_string_equal(read_at("claude-idle").dialog.keys, "");
}

static const char rule[] = "────────────────────";

static struct screen_state look_text(const char *draft)
{
	struct rules *rules = rules_of("claude");
	char *text =
	    mem_printf("%s\n❯ %s\n%s\n  ? for shortcuts", rule, draft, rule);
	struct recorded r;
	struct screen_state look;

	recorded_text(&r, text, 20);
	adapter_read_screen(&adapter_claude, rules, &r.view, &look);
	recorded_finish(&r);
	rules_destroy(rules);
	free(text);
	return look;
}

TEST(claude__a_draft_has_its_digest)
{
	uint64_t one = look_text("fix the test").draft;
	uint64_t pasted = look_text("[Pasted text #1 +9 lines]").draft;

	assert_int_equal(look_text("").draft, 0);
	assert_true(one != 0);
	assert_true(look_text("fix the\n  test").draft == one);
	assert_true(look_text("fix the tests").draft - one > 1);
	assert_true(look_text("the test").draft - one > 1);
	/* Put back it has the next number. */
	assert_true(look_text("[Pasted text #2 +9 lines]").draft == pasted + 1);
	assert_true(look_text("[Pasted text #3 +9 lines]").draft - pasted > 1);
	assert_true(look_text("[Pasted text #2 +8 lines]").draft - pasted > 1);
	assert_true(look_text("[Pasted text #2 +9 lines] x").draft - pasted >
		    1);
}

/* Reads text with the cursor in row. */
static struct screen_state look_scrolled(const char *below, int row)
{
	char *text = mem_printf("─── ↑ 7 more ───────\n%s", below);
	struct recorded r;
	struct screen_state look;

	recorded_text(&r, text, 20);
	r.view.cursor_row = row;
	adapter_read_screen(&adapter_claude, NULL, &r.view, &look);
	recorded_finish(&r);
	free(text);
	return look;
}

/* The hidden lines count as a draft, and may not be ours. */
TEST(claude__a_scrolled_composer_is_never_empty)
{
	struct screen_state look;
	char *text = mem_printf("  \n  \n%s\n  ? for shortcuts", rule);

	look = look_scrolled(text, 2);
	assert_int_equal(look.composer, COMPOSER_DRAFT);
	assert_int_equal(look.draft, 0);
	assert_int_equal(read_at("claude-scrolled").draft, 0);
	free(text);
}

TEST(claude__a_row_like_a_scrolled_composers_hides_no_dialog)
{
	struct screen_state look;
	char *text = mem_printf("  hi\n%s\n Bash command\n\n Do you want to "
				"proceed?\n ❯ 1. Yes\n   2. No\n\n Esc to "
				"cancel",
				rule);

	for (int row = 3; row < 10; row++) {
		look = look_scrolled(text, row);
		assert_int_equal(look.composer, COMPOSER_ABSENT);
		assert_true(look.reading.question);
	}
	free(text);
}

static size_t interrupt_bytes(const char *above, const char *below)
{
	char *text =
	    mem_printf("%s\n%s\n❯ hi\n%s\n%s", above, rule, rule, below);
	struct recorded r;
	struct screen_state look;
	struct rules *rules = rules_of("claude");
	struct buf keys = {0};
	size_t n;

	recorded_text(&r, text, 20);
	adapter_read_screen(&adapter_claude, NULL, &r.view, &look);
	adapter_interrupt(&adapter_claude, rules, &look, &(size_t){0}, &keys);
	n = keys.len;
	rules_destroy(rules);
	recorded_finish(&r);
	buf_finish(&keys);
	free(text);
	return n;
}

TEST(claude__leaves_insert_before_it_interrupts)
{
	assert_int_equal(interrupt_bytes("", "  ? for shortcuts"), 1);
	assert_int_equal(interrupt_bytes("", "  -- INSERT -- manual"), 2);
	assert_int_equal(interrupt_bytes("", "  my status\n  -- INSERT --"), 2);
	/* Text of the model. */
	assert_int_equal(interrupt_bytes("  -- INSERT --", "  esc"), 1);
}

TEST(claude__shows_its_queue)
{
	assert_true(read_at("claude-queued").queued);
	assert_false(read_at("claude-busy").queued);
}

static struct reading hook(const char *event, const char *json, bool says)
{
	cJSON *payload = cJSON_Parse(json);
	struct rules *rules = rules_of("claude");
	struct reading r;

	assert_non_null(payload);
	assert_int_equal(adapter_claude.hook(rules, event, payload, &r), says);
	rules_destroy(rules);
	cJSON_Delete(payload);
	return r;
}

TEST(claude__hooks_tell_a_turn)
{
	struct reading r;

	r = hook("SessionStart",
		 "{\"session_id\":\"abc\",\"source\":\"startup\"}", true);
	assert_string_equal(r.conversation, "abc");
	assert_int_equal(r.activity, ACTIVITY_IDLE);
	assert_int_equal(r.source, SOURCE_HOOK);
	r = hook("UserPromptSubmit", "{\"prompt\":\"\\n/fix it\\nnow\"}", true);
	assert_true(r.turn_started);
	assert_string_equal(r.prompt, "/fix it");
	r = hook("UserPromptSubmit",
		 "{\"prompt\":\"\\n<pasted_content id=\\\"1\\\">\\na\"}", true);
	assert_true(r.turn_started);
	assert_string_equal(r.prompt, "");
	r = hook("PreToolUse",
		 "{\"tool_name\":\"Bash\",\"tool_input\":"
		 "{\"command\":\"npm test\",\"description\":\"x\"}}",
		 true);
	assert_int_equal(r.activity, ACTIVITY_WORKING);
	assert_string_equal(r.detail, "Bash: npm test");
	r = hook("PermissionRequest",
		 "{\"tool_name\":\"Write\",\"tool_input\":"
		 "{\"file_path\":\"a\\u001bb\"}}",
		 true);
	assert_true(r.question);
	assert_string_equal(r.detail, "asks to run Write: a?b");
	r = hook("Stop", "{\"last_assistant_message\":\"all\\ndone\"}", true);
	assert_int_equal(r.activity, ACTIVITY_COMPLETED);
	assert_true(r.turn_ended && !r.failed);
	assert_string_equal(r.detail, "all");
	r = hook("StopFailure", "{\"error\":\"rate_limit\"}", true);
	assert_true(r.turn_ended && r.failed);
	assert_string_equal(r.detail, "rate_limit");
	assert_int_equal(r.activity, ACTIVITY_COMPLETED);
	r = hook("StopFailure", "{\"error\":\"authentication_failed\"}", true);
	assert_true(r.turn_ended && r.failed && r.login && !r.question);
	assert_int_equal(r.activity, ACTIVITY_WAITING_FOR_INPUT);
}

TEST(claude__sub_agents_have_no_turn_of_ours)
{
	struct reading r;

	hook("Stop", "{\"agent_id\":\"a1\",\"session_id\":\"s\"}", false);
	hook("UserPromptSubmit",
	     "{\"agent_id\":\"a1\",\"session_id\":\"s\","
	     "\"prompt\":\"look there\"}",
	     false);
	r = hook("PreToolUse",
		 "{\"agent_id\":\"a1\",\"session_id\":\"s\","
		 "\"tool_name\":\"Read\"}",
		 true);
	assert_string_equal(r.conversation, "");
	assert_string_equal(r.detail, "Read");
}

TEST(claude__takes_any_payload)
{
	static const char *const events[] = {"SessionStart",
					     "UserPromptSubmit",
					     "PreToolUse",
					     "Notification",
					     "PermissionRequest",
					     "Stop",
					     "StopFailure",
					     "SessionEnd",
					     "x",
					     ""};
	cJSON *odd = cJSON_Parse("{\"tool_input\":7,\"tool_name\":[],"
				 "\"session_id\":{},\"prompt\":null}");
	struct rules *rules = rules_of("claude");
	struct reading r;

	for (size_t i = 0; i < sizeof events / sizeof events[0]; i++) {
		adapter_claude.hook(rules, events[i], odd, &r);
		adapter_claude.hook(rules, events[i], NULL, &r);
	}
	rules_destroy(rules);
	cJSON_Delete(odd);
}

static void check_guard(const char *text, const char *want)
{
	struct buf sent = {0}, out = {0};

	buf_adds(&sent, text);
	adapter_drop(&adapter_claude, &sent);
	adapter_guard(&adapter_claude, NULL, sent.data, sent.len, &out);
	assert_string_equal(out.data, want);
	buf_finish(&sent);
	buf_finish(&out);
}

TEST(claude__guards_commands)
{
	check_guard("hello", "hello");
	check_guard("/clear", "/clear\n\n\n\n");
	check_guard("  /clear now", "  /clear now\n\n\n\n");
	check_guard("/plugin:cmd\nmore", "/plugin:cmd\nmore\n\n\n\n");
	check_guard("/tmp/x is a file", "\n/tmp/x is a file");
	check_guard("/", "/\n\n\n\n");
	check_guard("!rm -rf x", "\n!rm -rf x");
	check_guard("#note", "\n#note");
	check_guard("ends with \\", "ends with \\ ");
	check_guard("\\", "\\ ");
	check_guard("a / b ! c", "a / b ! c");
	check_guard("exit", "exit\n\n\n\n");
	check_guard("\n :wq! \n", "\n :wq! \n\n\n\n\n");
	check_guard("exit now", "exit now");
}

TEST(claude__guard_drops_what_claude_would_review)
{
	check_guard("a\u202eb\u200b\ufeffc", "abc");
	check_guard("\u200b/clear", "/clear\n\n\n\n");
	check_guard("👨‍👩 日本語 é", "👨‍👩 日本語 é");
}

/* What it prints below the composer at a limit, and the same half drawn. */
TEST(claude__a_limit_below_the_composer_is_no_dialog)
{
	static const char *const drawn[] = {
	    "❯ work\n\n────────────────────\n❯ \n────────────────────\n"
	    "  ⚠ Usage limit reached · limit resets 4:29pm\n"
	    "    Continuing automatically at 4:29pm · Esc to cancel\n",
	    "❯ work\n\n────────────────────\n❯ \n"
	    "────────────────────m · Esc to cancel\n"
	    "  ⏸ manual mode on\n",
	};
	struct rules *rules = rules_of("claude");

	for (size_t i = 0; i < 2; i++) {
		struct screen_state out;
		struct recorded r;

		recorded_text(&r, drawn[i], 60);
		adapter_read_screen(&adapter_claude, rules, &r.view, &out);
		assert_false(out.reading.question);
		recorded_finish(&r);
	}
	rules_destroy(rules);
}
