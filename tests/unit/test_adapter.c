/* test_adapter.c - what adapters share, and what tells them apart. */
#include "adapters/adapter.h"
#include "adapters/registry.h"
#include "adapters/screen/rules.h"
#include "adapters/screen/text_guard.h"
#include "base/buf.h"
#include "base/json.h"
#include "support_unit.h"
#include "support_view.h"

/* ---- keys ---- */

TEST(keys__have_names)
{
	struct buf b = {0};
	struct err err;

	assert_int_equal(rules_parse_keys("Escape C-c  Up x", &b, &err), 0);
	assert_string_equal(b.data, "\033\003\033[Ax");
	assert_int_equal(rules_parse_keys("C-", &b, &err), -1);
	assert_int_equal(rules_parse_keys(" ", &b, &err), -1);
	buf_finish(&b);
}

/* ---- OSC 7501 ---- */

TEST(program_status__is_understood)
{
	struct reading r;

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
	assert_int_equal(r.activity, ACTIVITY_WAITING_FOR_INPUT);
	assert_true(r.login && !r.question);
	/* ESC ] 0 ; x BEL, as base64 */
	assert_true(adapter_program_status("state=working:msg=G10wO3gH", &r));
	assert_string_equal(r.detail, "?]0;x?");
	assert_true(adapter_program_status("state=error:msg=%%%", &r));
	assert_true(r.failed && r.turn_ended);
	assert_string_equal(r.detail, "");
	assert_string_equal(r.answer, "");
	assert_true(
	    adapter_program_status("state=done:app=pi:msg=b25lCnR3bw==", &r));
	assert_string_equal(r.answer, "one\ntwo");
	assert_true(adapter_program_status("state=done:msg=/w==", &r));
	assert_string_equal(r.answer, ""); /* no UTF-8 */
	assert_true(adapter_program_status("state=clear", &r));
	assert_int_equal(r.activity, ACTIVITY_NONE);
	assert_false(adapter_program_status("?", &r));
	assert_false(adapter_program_status("", &r));
	assert_false(adapter_program_status("state=", &r));
	assert_false(adapter_program_status("state=idler", &r));
	assert_false(adapter_program_status("xstate=idle", &r));
}

/* Claude Code's: what a sub-agent or a background shell does. */
TEST(program_status__of_a_part_is_not_the_harness)
{
	static const char *const parts[] = {
	    "state=working:app=claude-code:id=a1b2:title=eA==",
	    "state=blocked:app=claude-code:id=a1b2:kind=question",
	    "state=done:id=a1b2",
	    "state=clear:id=a1b2",
	    "id=a1b2:state=idle",
	};
	struct reading r;

	for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
		assert_false(adapter_program_status(parts[i], &r));
		assert_int_equal(r.activity, ACTIVITY_NONE);
		assert_false(r.question || r.turn_ended);
	}
	assert_true(adapter_program_status("state=idle:pid=7:kid=x", &r));
	/* the harness itself, by the name that Claude has for it */
	assert_true(adapter_program_status("state=clear:id=", &r));
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

TEST(echo__is_seen_where_it_is)
{
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

/* The cursor of Gemini CLI is elsewhere, OpenCode has a frame of its own. */
TEST(echo__is_of_the_text_alone)
{
	static const struct {
		const struct adapter *adapter;
		const char *front, *end;
	} composers[] = {
	    {&adapter_codex, "› ", "\n\n  gpt-5.2-codex high · ~/repo\n"},
	    {&adapter_codex, "› ", ""},
	    {&adapter_gemini, " > ", "\n▀▀▀▀▀▀▀▀▀▀\n /tmp  no sandbox\n"},
	    {&adapter_opencode, "  ┃  ",
	     "\n  ┃\n  ┃  Build · gpt Local\n  ╹▀▀▀▀▀▀▀▀▀▀\n"},
	};
	static const struct {
		const char *shown, *text;
		bool alone;
	} cases[] = {
	    {"second message", "second message", true},
	    {"one\n   two\n   three", "one\ntwo\nthree\n", true},
	    {"ne\n   three", "one\nthree", true}, /* its end */
	    {"first second message", "second message", false},
	    {"again\n   again", "again", false},
	    {"cafe\314\201 à la carte", "café à la carte", true},
	    {"à la carte café", "café", false},
	    {"漢字漢字", "漢字", false},
	    {"[Pasted %]", "long", true},
	    {"first [Pasted %]", "long", false},
	    {"[Pasted %][Pasted %]", "long", false},
	    {"[Pasted %] behind", "long", false},
	    {"[Pasted %]behind", "long", false},
	};
	static const char *const collapsed[] = {"Content 1234 chars",
						"Content 1234 chars",
						"Text: 12 lines", "~12 lines"};

	for (size_t k = 0; k < 4 * sizeof cases / sizeof cases[0]; k++) {
		size_t a = k % 4, i = k / 4;
		struct rules *rules = rules_of(composers[a].adapter->name);
		struct buf now = {0};
		struct recorded before, after;

		buf_adds(&now, composers[a].front);
		for (const char *s = cases[i].shown; *s != '\0'; s++) {
			if (*s == '%')
				buf_adds(&now, collapsed[a]);
			else
				buf_addc(&now, *s);
			if (*s == '\n' && a == 3)
				buf_adds(&now, "  ┃");
		}
		buf_adds(&now, composers[a].end);
		recorded_text(&before, "", 60);
		recorded_text(&after, now.data, 60);
		if (adapter_echoed(composers[a].adapter, rules, &before.view,
				   &after.view, cases[i].text,
				   strlen(cases[i].text)) != cases[i].alone)
			fail_msg("%s: \"%s\"", composers[a].adapter->name,
				 cases[i].shown);
		recorded_finish(&before);
		recorded_finish(&after);
		buf_finish(&now);
		rules_destroy(rules);
	}
}

/* ---- hooks, titles, guards ---- */

TEST(codex__says_what_was_interrupted)
{
	cJSON *o = cJSON_Parse("{\"session_id\":\"0-1\",\"prompt\":\"hi\","
			       "\"last_assistant_message\":\"done\"}");
	struct rules *rules = rules_of("codex");
	struct reading r;

	assert_true(adapter_codex.hook(rules, "Interrupt", o, &r));
	assert_true(r.turn_ended && r.interrupted && !r.failed);
	assert_int_equal(r.activity, ACTIVITY_IDLE);
	assert_string_equal(r.conversation, "0-1");
	assert_true(adapter_codex.hook(rules, "UserPromptSubmit", o, &r));
	assert_true(r.turn_started && !r.interrupted);
	assert_string_equal(r.prompt, "hi");
	assert_true(adapter_codex.hook(rules, "Stop", o, &r));
	assert_string_equal(r.answer, "done");
	assert_false(adapter_codex.hook(rules, "Whatever", o, &r));
	assert_false(adapter_codex.hook(NULL, "Stop", o, &r));
	rules_destroy(rules);
	cJSON_Delete(o);
}

/* It has no file, and cannot be resumed. */
TEST(codex__side_conversations_are_none_of_the_sessions)
{
	cJSON *o = cJSON_Parse("{\"session_id\":\"0-2\",\"prompt\":\"hi\","
			       "\"transcript_path\":null}");
	struct rules *rules = rules_of("codex");
	struct reading r;

	assert_false(adapter_codex.hook(rules, "SessionStart", o, &r));
	assert_false(adapter_codex.hook(rules, "UserPromptSubmit", o, &r));
	assert_false(adapter_codex.hook(rules, "Stop", o, &r));
	rules_destroy(rules);
	cJSON_Delete(o);
}

static enum activity title(const char *harness, const char *text)
{
	struct rules *rules = rules_of(harness);
	struct reading r;
	bool is = adapter_read_title(rules, text, &r);

	rules_destroy(rules);
	return is ? r.activity : ACTIVITY_NONE;
}

TEST(titles__tell_what_they_can)
{
	assert_int_equal(title("claude", "✳ x"), ACTIVITY_IDLE);
	assert_int_equal(title("claude", "◐ x"), ACTIVITY_WORKING);
	assert_int_equal(title("claude", "x"), ACTIVITY_NONE);
	assert_int_equal(title("codex", "⠋ repo"), ACTIVITY_WORKING);
	assert_int_equal(title("codex", "[ ! ] Action Required"),
			 ACTIVITY_WAITING_FOR_INPUT);
	assert_int_equal(title("codex", ""), ACTIVITY_NONE);
	assert_int_equal(title("gemini", "✋ Action Required (r)"),
			 ACTIVITY_WAITING_FOR_INPUT);
	assert_int_equal(title("gemini", "✦ Working…"), ACTIVITY_WORKING);
	assert_int_equal(title("gemini", "◇ Ready (r)"), ACTIVITY_IDLE);
	assert_int_equal(title("opencode", "x"), ACTIVITY_NONE);
}

static void check_guard(const struct adapter *a, const char *text,
			const char *want)
{
	struct buf sent = {0}, out = {0};

	buf_adds(&sent, text);
	adapter_drop(a, &sent);
	adapter_guard(a, NULL, sent.data, sent.len, &out);
	assert_string_equal(out.data, want);
	buf_finish(&sent);
	buf_finish(&out);
}

TEST(guards__are_each_harnesss_own)
{
	check_guard(&adapter_generic, "/x \\", "/x \\");
	check_guard(&adapter_codex, "/x", " /x");
	check_guard(&adapter_codex, "!x see @src", " !x see @src ");
	check_guard(&adapter_codex, "mail a@b", "mail a@b");
	check_guard(&adapter_codex, "use $skill", "use $skill ");
	check_guard(&adapter_claude, "the :key", "the :key ");
	check_guard(&adapter_claude, ":memo", ":memo ");
	check_guard(&adapter_claude, "a:b", "a:b");
	check_guard(&adapter_gemini, "!x \\", "\n!x \\ ");
	/* The bytes that it removes itself; a joiner of letters is not among
	 * them. */
	check_guard(&adapter_gemini,
		    "a\342\200\256b\342\201\246c\342\200\213d\357\273\277"
		    "e\342\200\214f",
		    "abcde\342\200\214f");
	check_guard(&adapter_gemini, " /x y", GUARD_JOINER " /x y");
	check_guard(&adapter_gemini, "/tmp/x", "/tmp/x");
	check_guard(&adapter_opencode, "/x @y", " /x @y ");
	check_guard(&adapter_opencode, "exit\n", "exit\n" GUARD_JOINER);
	check_guard(&adapter_opencode, "exit now", "exit now");
	/* What its composer cannot show. */
	check_guard(&adapter_opencode, "a\u200bb\u2060\ufeffc\u200dd",
		    "abc\u200dd");
}

/* What a section guards, and what is refused because it guards nothing. */
static void check_section(const char *json, const char *text, const char *want)
{
	cJSON *config = cJSON_Parse(json);
	struct rules *r = rules_create(config, NULL);
	struct buf out = {0};

	assert_non_null(r);
	assert_int_equal(
	    adapter_refuses(&adapter_generic, r, text, strlen(text)), !want);
	adapter_guard(&adapter_generic, r, text, strlen(text), &out);
	if (want)
		assert_string_equal(out.data, want);
	buf_finish(&out);
	rules_destroy(r);
	cJSON_Delete(config);
}

TEST(guards__are_what_a_section_says)
{
	static const char *const none = "{\"command\":[\"x\"]}";
	static const char *const space =
	    "{\"command\":[\"x\"],\"guard\":[\"Space\"]}";
	static const char *const all =
	    "{\"command\":[\"x\"],\"guard\":[\"U+2060\"],"
	    "\"guard_first\":[\"#\"],\"guard_words\":[\":q 'log out'\"],"
	    "\"guard_last\":[\"@\\\\\"]}";

	check_section("{}", "!touch x", "!touch x");
	check_section(none, "!touch x", NULL);
	check_section(none, " /help", NULL);
	check_section(none, "exit\n", NULL);
	check_section(none, "exit now", "exit now");
	check_section(none, "see @src", "see @src");
	check_section(space, "!touch x", " !touch x");
	check_section(space, "quit", " quit");
	check_section(space, "a \\", "a \\");
	check_section(all, "!touch x", "!touch x");
	check_section(all, "exit", "exit");
	check_section(all, "# note", GUARD_JOINER "# note");
	check_section(all, ":q", GUARD_JOINER ":q");
	check_section(all, "log out", GUARD_JOINER "log out");
	check_section(all, "see @src", "see @src ");
	check_section(all, "a \\", "a \\ ");
	check_section(all, "a@b", "a@b");
}

TEST(adapters__are_complete)
{
	for (size_t i = 0; adapters[i]; i++) {
		assert_ptr_equal(adapter_find(adapters[i]->name), adapters[i]);
		assert_non_null(adapters[i]->title);
		assert_non_null(adapters[i]->prepare);
		if (adapters[i]->programs)
			assert_non_null(adapters[i]->install_hint);
	}
	assert_ptr_equal(adapter_find(NULL), &adapter_generic);
	for (int s = 0; s < SOURCE_COUNT; s++)
		assert_true(source_name((enum source)s)[0] != '\0');
}
