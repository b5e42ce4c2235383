/* test_approval.c - approvals on recorded screens, their keys and their ids. */
#include "activity/question.h"
#include "adapters/adapter.h"
#include "adapters/screen/approval.h"
#include "adapters/screen/rules.h"
#include "base/utf8.h"
#include "support_unit.h"
#include "support_view.h"

/* A change to a view before it is read: the lowest row that contains row
 * becomes to; a list that ends with NULL. */
struct change {
	const char *row, *to;
};

static bool find_in(const struct rules *r, const struct adapter *a,
		    struct recorded *rec, const struct change *c,
		    struct approval *out)
{
	const char *rows[RECORDED_ROWS];
	struct screen_view v = rec->view;
	struct screen_state look;

	memcpy(rows, v.rows, v.nrows * sizeof rows[0]);
	for (; c && c->row; c++) {
		size_t i = v.nrows;

		while (i > 0 && !strstr(v.rows[i - 1], c->row))
			i--;
		assert_true(i > 0);
		rows[i - 1] = c->to;
	}
	v.rows = v.solid = v.lit = rows;
	adapter_read_screen(a, r, &v, &look);
	return approval_find(r, &v, &look, out);
}

static bool find(const char *harness, const char *screen,
		 const struct change *c, struct approval *out)
{
	struct rules *r = rules_of(harness);
	struct recorded rec;
	bool found;

	recorded_load(&rec, screen);
	found = find_in(r, adapter_find(harness), &rec, c, out);
	recorded_finish(&rec);
	rules_destroy(r);
	return found;
}

static bool find_lit(const char *config, const char *screen,
		     const char *lit_text, struct approval *out)
{
	cJSON *o = cJSON_Parse(config);
	struct rules *r = rules_create(o, NULL);
	struct recorded rec, lit;
	struct screen_state look;
	bool found;

	assert_non_null(r);
	recorded_text(&rec, screen, 80);
	recorded_text(&lit, lit_text, 80);
	rec.view.lit = lit.view.rows;
	adapter_read_screen(adapter_find("generic"), r, &rec.view, &look);
	found = approval_find(r, &rec.view, &look, out);
	recorded_finish(&lit);
	recorded_finish(&rec);
	rules_destroy(r);
	cJSON_Delete(o);
	return found;
}

static bool find_text(const char *config, const char *screen,
		      struct approval *out)
{
	return find_lit(config, screen, screen, out);
}

TEST(approval__presses_what_allows_once)
{
	static const struct {
		const char *harness, *screen, *question, *approve, *deny;
	} cases[] = {
	    {"claude", "claude-approve-bash", "echo hi", "1", "4"},
	    {"claude", "claude-approve-bash-narrow", "npm test", "1", "4"},
	    {"claude", "claude-approve-write", "create", "1", "3"},
	    {"claude", "claude-approve-edit", "edit", "1", "3"},
	    {"claude", "claude-approve-plan", "Exit plan mode?", "", "2"},
	    {"claude", "claude-auto-approve", "make zz", "Down Enter", "Enter"},
	    {"claude", "claude-auto-fetch", "fetch", "Down Enter", "Enter"},
	    {"codex", "codex-approve", "$ touch zz", "y", "Escape"},
	    {"gemini", "gemini-approve", "Shell", "1", "3"},
	    {"opencode", "opencode-approve", "$ touch zz", "Enter", "Escape"},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct approval a;

		if (!find(cases[i].harness, cases[i].screen, NULL, &a))
			fail_msg("%s: none", cases[i].screen);
		if (!strstr(a.question, cases[i].question))
			fail_msg("%s: %s", cases[i].screen, a.question);
		assert_string_equal(a.approve, cases[i].approve);
		assert_string_equal(a.deny, cases[i].deny);
		assert_true(a.marked);
	}
}

TEST(approval__is_no_other_question)
{
	static const struct {
		const char *harness, *screen;
	} cases[] = {
	    {"claude", "claude-ask-question-wide"},
	    {"claude", "claude-ask-multi-wide"},
	    {"claude", "claude-model-menu"},
	    {"claude", "claude-trust"},
	    {"claude", "claude-plan-ready"},
	    {"claude", "claude-dialog-clipped"},
	    {"claude", "claude-auto-mode"},
	    {"codex", "codex-trust"},
	    {"gemini", "gemini-trust"},
	    {"opencode", "opencode-approve-early"},
	    {"opencode", "opencode-help"},
	    {"opencode", "opencode-idle"},
	};
	struct approval a;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		if (find(cases[i].harness, cases[i].screen, NULL, &a) &&
		    (a.approve[0] || a.deny[0]))
			fail_msg("%s: %s", cases[i].screen, a.approve);
}

/* The option's text decides, not its usual place. */
TEST(approval__goes_by_the_options_text)
{
	static const struct change
	    moved[] = {{"1. Yes", " ❯ 1. Yes, and always"},
		       {"2. Yes", "   2. Yes"},
		       {NULL, NULL}},
	    always[] = {{"1. Yes", " ❯ 1. Yes, and don't ask again"},
			{NULL, NULL}},
	    session[] = {{"1. Allow once", "│ ● 1. Allow for this session │"},
			 {NULL, NULL}},
	    letter[] = {{"1. Yes", "› 1. Yes, always (a)"}, {NULL, NULL}},
	    lit[] = {{"Allow once", "  ┃             Allow always"},
		     {NULL, NULL}},
	    down[] = {{"❯ No", "   No"}, {"   Yes", " ❯ Yes"}, {NULL, NULL}},
	    none[] = {{"❯ No", "   No"}, {NULL, NULL}};
	struct approval a;

	assert_true(find("claude", "claude-approve-bash", moved, &a));
	assert_string_equal(a.approve, "2");
	assert_true(find("claude", "claude-approve-bash", always, &a));
	assert_string_equal(a.approve, "");
	assert_string_equal(a.deny, "4");
	assert_true(find("gemini", "gemini-approve", session, &a));
	assert_string_equal(a.approve, "");
	assert_true(find("codex", "codex-approve", letter, &a));
	assert_string_equal(a.approve, "");
	assert_false(find("opencode", "opencode-approve", lit, &a));
	assert_true(find("claude", "claude-auto-approve", down, &a));
	assert_string_equal(a.approve, "Enter");
	assert_string_equal(a.deny, "Up Enter");
	assert_true(a.moves && a.whole);
	assert_false(find("claude", "claude-auto-approve", none, &a));
}

/* An option quotes a path or a command, which the agent has chosen. */
TEST(approval__is_not_led_astray_by_an_option)
{
	static const char config[] =
	    "{\"waiting\":[\"^ask\"],\"approve\":\"Enter\","
	    "\"approve_option\":[\"Once +Always\"],"
	    "\"approve_marked\":[\"Once\"]}";
	static const struct change
	    yes[] = {{"2. Yes",
		      "   2. Yes, and always allow access to /w/a 2. Yes"},
		     {NULL, NULL}},
	    no[] = {{"2. Yes",
		     "   2. Yes, and always allow access to /w/a 2. No"},
		    {NULL, NULL}},
	    twice[] = {{"3. Yes", "   3. No"}, {NULL, NULL}},
	    below[] = {{"4. No", "   4. Yes"}, {NULL, NULL}};
	struct approval a;

	assert_true(find("claude", "claude-approve-bash", yes, &a));
	assert_string_equal(a.approve, "1");
	assert_true(find("claude", "claude-approve-bash", no, &a));
	assert_string_equal(a.deny, "4");
	assert_true(find("claude", "claude-approve-bash", twice, &a));
	assert_string_equal(a.deny, "");
	assert_string_equal(a.approve, "1");
	assert_false(find("claude", "claude-approve-bash", below, &a));
	/* Highlighted text elsewhere in the dialog is not an option. */
	assert_true(find_text(config, "ask\n+ Once\nOnce Always\n", &a));
	assert_true(a.marked);
	assert_true(find_lit(config, "ask\n+ Once\nOnce Always\n",
			     "\n+ Once\n     Always\n", &a));
	assert_false(a.marked);
}

#define WIDE   "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
#define DASHES "╌╌╌╌╌╌╌╌╌╌╌╌"

/* A rule may allow that alone: what is not proven to be all of a command is
 * not. */
TEST(approval__is_whole_where_the_dialog_shows_its_end)
{
	static const char row[] = " echo hi > x.txt", rule[] = "╌╌╌╌";
	static const struct change changes[][3] = {
	    {{row, " │ echo hi"}},    /* of several lines */
	    {{rule, ""}},	      /* the first of which is blank */
	    {{row, WIDE WIDE}},	      /* cut, perhaps */
	    {{" fake step", DASHES}}, /* what the model says */
	    {{" fake step", DASHES}, {rule, ""}},
	    {{row, DASHES}},
	    {{" Bash command", " Some other tool"}},
	};
	static const char *const others[][2] = {
	    {"claude", "claude-approve-bash-narrow"},
	    {"claude", "claude-approve-edit"},
	    {"claude", "claude-approve-write"},
	    {"codex", "codex-approve"},
	    {"gemini", "gemini-approve"},
	    {"opencode", "opencode-approve"},
	};
	struct approval a;

	assert_true(find("claude", "claude-approve-bash", NULL, &a));
	assert_true(a.whole);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
		if (find("claude", "claude-approve-bash", changes[i], &a) &&
		    a.whole)
			fail_msg("change %zu: %s", i, a.question);
	for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
		assert_true(find(others[i][0], others[i][1], NULL, &a));
		assert_false(a.whole);
	}
}

/* A user who sees one line of two learns that there is another. */
TEST(approval__says_that_there_is_more)
{
	static const struct {
		const char *harness, *screen, *end;
	} cases[] = {
	    {"claude", "claude-approve-bash", ": echo hi > x.txt"},
	    {"claude", "claude-approve-bash-narrow", "long command …"},
	    {"claude", "claude-approve-edit", "?"},
	    {"claude", "claude-approve-write", "?"},
	    {"codex", "codex-approve", "$ touch zz"},
	    {"gemini", "gemini-approve", "touch zz"},
	    {"opencode", "opencode-approve", "$ touch zz"},
	};
	static const char dialog[] =
	    "{\"waiting\":[\"^yes\"],\"approval\":[\"^ask\"],"
	    "\"question\":[\"^([$] .*)$\"],\"approve\":\"y\","
	    "\"approve_option\":[\"^yes\"]}";
	struct approval a;
	char wide[256];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t n = strlen(cases[i].end);

		assert_true(find(cases[i].harness, cases[i].screen, NULL, &a));
		if (strlen(a.question) < n ||
		    strcmp(a.question + strlen(a.question) - n, cases[i].end) !=
			0)
			fail_msg("%s: %s", cases[i].screen, a.question);
	}
	assert_true(find_text(dialog, "ask\n\n$ ls\n\nyes\n", &a));
	assert_string_equal(a.question, "$ ls");
	assert_true(find_text(dialog, "ask\n\n$ ls\nrm -r x\n\nyes\n", &a));
	assert_string_equal(a.question, "$ ls …");
	assert_true(find_text(dialog, "ask\n\nrm -r x\n$ ls\n\nyes\n", &a));
	assert_string_equal(a.question, "$ ls …");
	/* One row of a wide terminal, longer than what is kept of it. */
	snprintf(wide, sizeof wide, "ask\n\n$ %0*d; rm -r x\n\nyes\n", 195, 0);
	assert_true(find_text(dialog, wide, &a));
	assert_string_equal(a.question + strlen(a.question) - 4, " …");
	assert_true(utf8_valid(a.question, strlen(a.question)));
	snprintf(wide, sizeof wide, "ask\n\n$ %0*d; rm\n\nyes\n", 180, 0);
	assert_true(find_text(dialog, wide, &a));
	assert_string_equal(a.question + strlen(a.question) - 4, "; rm");
}

TEST(approval__is_the_same_while_only_its_marker_moves)
{
	static const struct change up[] = {{"1. Yes", "   1. Yes"},
					   {"4. No", " ❯ 4. No"},
					   {NULL, NULL}},
				   other[] = {{"echo hi", " echo ho > x.txt"},
					      {NULL, NULL}};
	struct approval a, b, c, narrow;

	assert_true(find("claude", "claude-approve-bash", NULL, &a));
	assert_true(find("claude", "claude-approve-bash", up, &b));
	assert_memory_equal(a.digest, b.digest, SHA256_SIZE);
	assert_true(find("claude", "claude-approve-bash", other, &c));
	assert_memory_not_equal(a.digest, c.digest, SHA256_SIZE);
	assert_true(
	    find("claude", "claude-approve-bash-narrow", NULL, &narrow));
	assert_string_equal(a.approve, narrow.approve);
}

TEST(approval__needs_keys_and_a_pattern_of_ones_own)
{
	struct approval a;

	assert_false(
	    find_text("{\"waiting\":[\"^(.*) .y/n.$\"]}", "Run it? (y/n)", &a));
	assert_true(find_text("{\"waiting\":[\"^(.*) .y/n.$\"],"
			      "\"approve\":\"y\",\"deny\":\"n\"}",
			      "Run it? (y/n)", &a));
	assert_string_equal(a.question, "Run it?");
	assert_string_equal(a.approve, "y");
	assert_string_equal(a.deny, "n");
	/* Text above the question is not its menu. */
	assert_true(find_text("{\"waiting\":[\"^ask\"],\"approval\":[\"^ask\"],"
			      "\"approve_option\":[\"([0-9]) yes\"],"
			      "\"approve\":\"{option} Enter\"}",
			      "7 yes\nask\n2 no\n4 yes", &a));
	assert_string_equal(a.approve, "4 Enter");
	assert_true(find_text("{\"waiting\":[\"^ask\"],\"approval\":[\"^ask\"],"
			      "\"approve_option\":[\"([0-9]) yes\"],"
			      "\"approve\":\"{option} Enter\"}",
			      "7 yes\nask\n2 no", &a));
	assert_string_equal(a.approve, "");
}

TEST(approval__keys_are_checked)
{
	struct err err = {0};

	assert_int_equal(rules_check_answer("{option} Enter", &err), 0);
	assert_int_equal(rules_check_answer("Escape", &err), 0);
	assert_int_equal(rules_check_answer("Escpae", &err), -1);
	assert_int_equal(rules_check_answer("{other}", &err), -1);
	assert_int_equal(rules_check_answer("", &err), -1);
	assert_int_equal(
	    rules_check_answer("Down Down Down Down Down Down Down Down Down "
			       "Down Down Down Down Enter",
			       &err),
	    -1);
}

/* -- ids ----------------------------------------------------------------- */

static struct approval asks(const char *what)
{
	struct approval a = {.marked = true};

	snprintf(a.question, sizeof a.question, "%s", what);
	sha256(what, strlen(what), a.digest);
	return a;
}

TEST(pending__id_stays_while_it_is_up)
{
	struct approval one = asks("one"), two = asks("two");
	struct question q;
	char id[QUESTION_ID_SIZE];

	question_init(&q, "abc", 1000);
	assert_false(question_update(&q, NULL, true, 0));
	assert_true(question_update(&q, &one, false, 10));
	memcpy(id, q.id, sizeof id);
	assert_int_equal(strlen(id), QUESTION_ID_SIZE - 1);
	assert_false(question_update(&q, &one, false, 5000));
	assert_string_equal(q.id, id);
	assert_int_equal(q.since, 10);
	/* Half drawn for a moment: still the same. */
	assert_true(question_update(&q, NULL, false, 6000));
	assert_false(q.up);
	assert_true(
	    question_update(&q, &one, false, 6000 + QUESTION_BLINK_MS - 1));
	assert_string_equal(q.id, id);
	assert_true(question_update(&q, &two, false, 7000));
	assert_string_not_equal(q.id, id);
}

TEST(pending__the_same_question_again_is_another)
{
	struct approval one = asks("one");
	struct question q, other;
	char id[QUESTION_ID_SIZE];

	question_init(&q, "abc", 1000);
	question_update(&q, &one, false, 10);
	memcpy(id, q.id, sizeof id);
	/* Its composer was there in between. */
	question_update(&q, NULL, false, 20);
	question_update(&q, NULL, true, 30);
	question_update(&q, &one, false, 40);
	assert_string_not_equal(q.id, id);
	memcpy(id, q.id, sizeof id);
	/* Or it was gone for long. */
	question_update(&q, NULL, false, 50);
	question_update(&q, &one, false, 50 + QUESTION_BLINK_MS);
	assert_string_not_equal(q.id, id);

	question_init(&other, "abd", 1000);
	question_update(&other, &one, false, 10);
	question_init(&q, "abc", 1000);
	question_update(&q, &one, false, 10);
	assert_string_not_equal(q.id, other.id);
}

TEST(pending__gone_is_more_than_a_redraw)
{
	struct approval one = asks("one"), two = asks("two");
	struct question q;
	char id[QUESTION_ID_SIZE];
	int64_t again;

	question_init(&q, "abc", 1000);
	question_update(&q, &one, false, 10);
	memcpy(id, q.id, sizeof id);
	assert_false(question_is_gone(&q, id, 20, &again));
	assert_int_equal(again, -1);
	question_update(&q, NULL, false, 100);
	assert_false(question_is_gone(&q, id, 110, &again));
	assert_int_equal(again, 100 + QUESTION_BLINK_MS);
	assert_true(question_is_gone(&q, id, again, &again));
	question_update(&q, NULL, true, 120);
	assert_true(question_is_gone(&q, id, 120, &again));
	question_update(&q, &two, false, 130);
	assert_true(question_is_gone(&q, id, 130, &again));
}
