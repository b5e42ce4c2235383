/*
 * test_adapter_others.c - screens of Codex 0.169, Gemini CLI 0.61 and
 * OpenCode 1.18, recorded from the real programs.
 */
#include "adapters/registry.h"
#include "support_unit.h"
#include "support_view.h"

static void check(const struct adapter *a, const struct screen_case *cases,
		  size_t n)
{
	struct rules *rules = rules_of(a->name);
	int bad = screens_check(a, rules, cases, n);

	rules_destroy(rules);
	assert_int_equal(bad, 0);
}

TEST(codex__is_told_from_its_screen)
{
	static const struct screen_case cases[] = {
	    {"codex-idle", COMPOSER_EMPTY, ACTIVITY_NONE, false, NULL},
	    {"codex-draft", COMPOSER_DRAFT, ACTIVITY_NONE, false, NULL},
	    {"codex-busy", COMPOSER_EMPTY, ACTIVITY_NONE, false, NULL},
	    {"codex-denied", COMPOSER_EMPTY, ACTIVITY_NONE, false, NULL},
	    {"codex-failed", COMPOSER_EMPTY, ACTIVITY_COMPLETED, false,
	     "unexpected status 400 Bad Request: told to fail with 400"},
	    /* The turn after it did not. */
	    {"codex-failed-before", COMPOSER_EMPTY, ACTIVITY_NONE, false, NULL},
	    {"codex-approve", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
	     "$ touch zz"},
	    {"codex-trust", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
	     "asks whether it may trust this directory"},
	    /* A draft, and above it a message, that look like a menu's. */
	    {"codex-numbered", COMPOSER_DRAFT, ACTIVITY_NONE, false, NULL},
	    /* The composer is drawn, and what is typed goes elsewhere. */
	    {"codex-search", COMPOSER_ABSENT, ACTIVITY_NONE, false, NULL},
	    {"codex-keymap", COMPOSER_ABSENT, ACTIVITY_NONE, false, NULL},
	    {"codex-resume", COMPOSER_ABSENT, ACTIVITY_NONE, false, NULL},
	    {"codex-shell-mode", COMPOSER_DRAFT, ACTIVITY_NONE, false, NULL},
	    {"codex-retrying", COMPOSER_EMPTY, ACTIVITY_WORKING, false,
	     "Server is busy, reconnecting 1/5"},
	    {"codex-limit", COMPOSER_EMPTY, ACTIVITY_COMPLETED, false,
	     "https://chatgpt.com/settings/usage to purchase more credits or "
	     "try again "
	     "at 4:21 PM."},
	    {"codex-permissions", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT,
	     true, "Update Model Permissions"},
	    {"codex-split", COMPOSER_ABSENT, ACTIVITY_NONE, false, "Side chat"},
	    {"codex-agents", COMPOSER_ABSENT, ACTIVITY_NONE, false,
	     "Agent command center"},
	    {"codex-side", COMPOSER_ABSENT, ACTIVITY_NONE, false,
	     "Side from main thread"},
	    {"codex-side-draft", COMPOSER_ABSENT, ACTIVITY_NONE, false,
	     "Side from main thread"},
	    {"codex-side-narrow", COMPOSER_ABSENT, ACTIVITY_NONE, false,
	     "Ask a follow-up question"},
	    /* The same words in the transcript. */
	    {"codex-side-left", COMPOSER_EMPTY, ACTIVITY_NONE, false, NULL},
	    /* It takes what is typed all the same. */
	    {"codex-shortcuts", COMPOSER_EMPTY, ACTIVITY_NONE, false, NULL},
	};

	check(&adapter_codex, cases, sizeof cases / sizeof cases[0]);
}

TEST(gemini__is_told_from_its_screen)
{
	static const struct screen_case cases[] = {
	    {"gemini-idle", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
	    {"gemini-yolo", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
	    {"gemini-draft", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
	    {"gemini-busy", COMPOSER_EMPTY, ACTIVITY_WORKING, false, NULL},
	    {"gemini-denied", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
	    {"gemini-approve", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT,
	     true, "Shell"},
	    {"gemini-trust", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
	     "asks whether it may trust this directory"},
	    /* It stays printed at the start that follows. */
	    {"gemini-trust-past", COMPOSER_ABSENT, ACTIVITY_NONE, false, NULL},
	    /* While it draws a resumed conversation. */
	    {"gemini-replay", COMPOSER_ABSENT, ACTIVITY_NONE, false, NULL},
	    {"gemini-limit", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
	     "Usage limit reached for gemini-3.8-flash."},
	    {"gemini-console", COMPOSER_ABSENT, ACTIVITY_NONE, false,
	     "Debug Console"},
	    {"gemini-resume", COMPOSER_ABSENT, ACTIVITY_NONE, false,
	     "Chat Sessions"},
	    {"gemini-search", COMPOSER_ABSENT, ACTIVITY_NONE, false, NULL},
	};

	check(&adapter_gemini, cases, sizeof cases / sizeof cases[0]);
}

#define RULE "────────────────────────────────────────\n"
#define FOOT " workspace (/directory)      /model\n [INSERT] /tmp/w     Auto\n"

/* Without colours; with vim's keys; and what only looks like a composer. */
TEST(gemini__has_a_composer_however_it_is_drawn)
{
	static const struct {
		const char *screen;
		enum composer composer;
	} cases[] = {
	    {RULE " Shift+Tab to accept edits\n" RULE
		  " >   Type your message or @path/to/file\n" RULE FOOT,
	     COMPOSER_EMPTY},
	    {RULE RULE " > one\n" RULE FOOT, COMPOSER_DRAFT},
	    {RULE RULE " >\n   two\n" RULE FOOT, COMPOSER_DRAFT},
	    {RULE RULE " >\n   ────\n   two\n" RULE FOOT, COMPOSER_DRAFT},
	    {RULE "▄▄▄▄▄▄\n >   Press 'Esc' for NORMAL mode.\n▀▀▀▀▀▀\n" FOOT,
	     COMPOSER_EMPTY},
	    {RULE "▄▄▄▄▄▄\n >   Press 'i' for INSERT mode.\n▀▀▀▀▀▀\n" FOOT,
	     COMPOSER_EMPTY},
	    {RULE "▄▄▄▄▄▄\n > Press any key\n▀▀▀▀▀▀\n" FOOT, COMPOSER_DRAFT},
	    {"✦ This is it:\n  " RULE "   > \n  " RULE "  Well.\n",
	     COMPOSER_ABSENT},
	    {RULE " > \n" RULE "╭──────────────────╮\n"
		  "│ Allow execution of: 'touch'? │\n│ ● 1. Allow once │\n"
		  "│   2. No, suggest changes (esc) │\n╰───────────────╯\n",
	     COMPOSER_ABSENT},
	};
	struct rules *rules = rules_of("gemini");

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct screen_state look;
		struct recorded r;

		recorded_text(&r, cases[i].screen, 60);
		adapter_read_screen(&adapter_gemini, rules, &r.view, &look);
		recorded_finish(&r);
		if (look.composer != cases[i].composer)
			fail_msg("%zu: %d", i, (int)look.composer);
	}
	rules_destroy(rules);
}

static bool broke(const char *before, const char *now)
{
	struct rules *rules = rules_of("gemini");
	struct recorded a, b;
	bool is;

	recorded_text(&a, before, 80);
	recorded_text(&b, now, 80);
	is = adapter_gemini.enter_became_line(rules, &a.view, &b.view);
	recorded_finish(&a);
	recorded_finish(&b);
	rules_destroy(rules);
	return is;
}

TEST(gemini__may_take_enter_for_a_line)
{
	assert_true(broke("──────\n▄▄▄▄▄▄\n > one\n▀▀▀▀▀▀\n",
			  "──────\n▄▄▄▄▄▄\n > one\n\n▀▀▀▀▀▀\n"));
	assert_true(broke("▄▄▄▄▄▄\n > one\n   two\n▀▀▀▀▀▀\n",
			  "▄▄▄▄▄▄\n   two\n\n▀▀▀▀▀▀\n")); /* it scrolls */
	/* Nothing has happened yet; it was taken; it is another text. */
	assert_false(
	    broke("▄▄▄▄▄▄\n > one\n▀▀▀▀▀▀\n", "▄▄▄▄▄▄\n > one\n▀▀▀▀▀▀\n"));
	assert_false(broke("▄▄▄▄▄▄\n > one\n▀▀▀▀▀▀\n",
			   "▄▄▄▄▄▄\n >   Type your message\n▀▀▀▀▀▀\n"));
	assert_false(broke("▄▄▄▄▄▄\n > one\n▀▀▀▀▀▀\n",
			   "▄▄▄▄▄▄\n > one two\n\n▀▀▀▀▀▀\n"));
	/* Its own last line was empty: that it was one is not to be seen. */
	assert_false(broke("▄▄▄▄▄▄\n > one\n\n▀▀▀▀▀▀\n",
			   "▄▄▄▄▄▄\n > one\n\n\n▀▀▀▀▀▀\n"));
	assert_false(broke("▄▄▄▄▄▄\n > one\n▀▀▀▀▀▀\n", "a menu\n"));
	assert_false(broke("", ""));
}

/* The composer is empty, or seems to be, and Enter does something else.
 * (Codex's has no cursor here.) */
TEST(adapters__a_mode_takes_no_message)
{
	static const struct {
		const struct adapter *adapter;
		const char *screen;
		bool empty;
	} cases[] = {
	    {&adapter_claude, RULE "!\n" RULE "  ! for shell mode\n", false},
	    {&adapter_codex, "!\n\n  gpt x · ~/r\n          Shell mode\n",
	     false},
	    {&adapter_gemini,
	     " shell mode enabled (esc to disable)\n▄▄▄▄▄▄\n"
	     " !   Type your shell command\n▀▀▀▀▀▀\n",
	     false},
	    {&adapter_opencode,
	     "  ┃\n  ┃\n  ┃\n  ┃  Shell\n  ╹▀▀▀▀▀▀▀\n"
	     "   /r            esc exit shell mode\n",
	     false},
	    {&adapter_opencode,
	     "  ┃\n  ┃  Run a command… \"ls -la\"\n  ┃\n"
	     "  ┃  Shell      a sidebar\n  ╹▀▀▀▀▀▀▀\n",
	     false},
	    /* An agent of that name, and a message. */
	    {&adapter_opencode,
	     "  ┃\n  ┃  Shell\n  ┃\n\n  ┃\n  ┃\n"
	     "  ┃  Shell · model Local\n  ╹▀▀▀▀▀▀▀\n",
	     true},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct rules *rules = rules_of(cases[i].adapter->name);
		struct screen_state look;
		struct recorded r;

		recorded_text(&r, cases[i].screen, 40);
		adapter_read_screen(cases[i].adapter, rules, &r.view, &look);
		if ((look.composer == COMPOSER_EMPTY) != cases[i].empty)
			fail_msg("%zu: %d", i, (int)look.composer);
		recorded_finish(&r);
		rules_destroy(rules);
	}
}

TEST(opencode__is_told_from_its_screen)
{
	static const struct screen_case cases[] = {
	    {"opencode-idle", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
	    {"opencode-draft", COMPOSER_DRAFT, ACTIVITY_IDLE, false, NULL},
	    {"opencode-busy", COMPOSER_EMPTY, ACTIVITY_WORKING, false, NULL},
	    {"opencode-denied", COMPOSER_EMPTY, ACTIVITY_IDLE, false, NULL},
	    {"opencode-approve", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT,
	     true, "$ touch zz"},
	    {"opencode-help", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT, true,
	     "Help"},
	    {"opencode-commands", COMPOSER_ABSENT, ACTIVITY_WAITING_FOR_INPUT,
	     true, "Commands"},
	};

	check(&adapter_opencode, cases, sizeof cases / sizeof cases[0]);
}

/* The menu that opens above it is not part of the paste. */
TEST(opencode__shows_a_command_below_its_menu)
{
	static const char before[] = "  ┃\n  ┃\n  ┃  Build · model\n  ╹▀▀▀",
			  now[] = "  ┃ /new   New session      ┃\n"
				  "  ┃ /diff  Open diff viewer ┃\n"
				  "  ┃\n  ┃  /new\n  ┃\n"
				  "  ┃  Build · model\n  ╹▀▀▀";
	struct rules *rules = rules_of("opencode");
	struct recorded a, b;
	struct screen_state look;

	recorded_text(&a, before, 80);
	recorded_text(&b, now, 80);
	assert_true(
	    adapter_opencode.echoed(rules, &a.view, &b.view, "/new", 4));
	adapter_read_screen(&adapter_opencode, rules, &b.view, &look);
	assert_int_equal(look.composer, COMPOSER_DRAFT);
	recorded_finish(&a);
	recorded_finish(&b);
	rules_destroy(rules);
}
