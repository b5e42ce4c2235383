/* test_lesson.c - screens that a person has shown into a section. */
#include "adapters/screen/lesson.h"
#include "adapters/screen/pattern.h"
#include "adapters/screen/rules.h"
#include "base/json.h"
#include "support_unit.h"

#define RULE   "──────────────────────\n"
#define BANNER "Welcome to Pear 1.2\n"
#define TEXT   LESSON_TEXT "\n"

static struct lesson l;

static int finish(void **state)
{
	(void)state;
	lesson_finish(&l);
	return 0;
}

FIXTURE(NULL, finish)

static void set_screen(struct lesson_screen *s, const char *text, int64_t ms)
{
	lesson_screen_finish(s);
	s->ms = ms;
	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		strv_take(&s->rows, mem_strndup(text, n));
		strv_take(&s->solid, mem_strndup(text, n));
	}
}

static void show(enum lesson_step k, const char *text)
{
	set_screen(&l.last[k], text, 0);
}

static void works(const char *text, int64_t ms)
{
	l.working = mem_grow(l.working, l.nworking, sizeof *l.working);
	l.working[l.nworking] = (struct lesson_screen){0};
	set_screen(&l.working[l.nworking++], text, ms);
}

/* The section as lines "key = value". It must be valid. */
static char *propose(void)
{
	static char out[4096];
	cJSON *section = lesson_propose(&l), *key, *value;
	struct err err = {0};
	struct rules *r = rules_create(section, &err);
	size_t n = 0;

	out[0] = '\0';
	cJSON_ArrayForEach (key, section)
		cJSON_ArrayForEach (value, key)
			n += (size_t)snprintf(out + n, sizeof out - n,
					      "%s = %s\n", key->string,
					      value->valuestring);
	if (!r)
		fail_msg("%s\n%s", err.what, out);
	rules_destroy(r);
	cJSON_Delete(section);
	return out;
}

static void expect(const char *line)
{
	char *out = propose();

	if (!strstr(out, line))
		fail_msg("no \"%s\" in:\n%s", line, out);
}

static void expect_no(const char *text)
{
	char *out = propose();

	if (strstr(out, text))
		fail_msg("\"%s\" is in:\n%s", text, out);
}

TEST(lesson__nothing_shown_is_nothing_proposed)
{
	assert_string_equal(propose(), "");
}

TEST(lesson__finds_a_composer_by_its_mark)
{
	show(LESSON_EMPTY, BANNER RULE "> Ask me\n" RULE "? for help");
	show(LESSON_DRAFT, BANNER RULE "> " TEXT RULE "? for help");
	expect("composer = ^>( .*)?$\n");
	expect("composer_end = ^───\n");
	expect("placeholder = ^Ask me\n");
	expect_no("composer_top");
}

TEST(lesson__finds_a_composer_in_a_box)
{
	show(LESSON_EMPTY, "╭────────╮\n│ >      │\n╰────────╯");
	show(LESSON_DRAFT, "╭────────╮\n│ > " LESSON_TEXT " │\n╰────────╯");
	expect("composer = ^│ >(.*) *│\n");
	expect("composer_end = ^╰──\n");
}

TEST(lesson__finds_a_composer_without_a_mark_by_its_borders)
{
	show(LESSON_EMPTY, BANNER RULE "\n" RULE "model x");
	show(LESSON_DRAFT, BANNER RULE TEXT RULE "model x");
	expect("composer_top = ^───\n");
	expect("composer_end = ^───\n");
	expect_no("composer = ");
	/* A mark on each row is none. */
	show(LESSON_EMPTY, "╻▄▄▄▄\n┃\n┃\n╹▀▀▀▀");
	show(LESSON_DRAFT, "╻▄▄▄▄\n┃\n┃ " TEXT "╹▀▀▀▀");
	expect("composer_top = ^╻▄▄\n");
	expect("composer = ^┃( .*)?$\n");
}

TEST(lesson__proposes_nothing_that_matches_everything)
{
	show(LESSON_EMPTY, BANNER);
	show(LESSON_DRAFT, BANNER TEXT);
	show(LESSON_MESSAGE, BANNER TEXT "done");
	works(BANNER TEXT "…", 900);
	show(LESSON_APPROVAL, BANNER "?\n1. Yes");
	expect_no("composer");
	expect_no("busy");
	expect_no("prompt");
	assert_true(pattern_fits_all("^(.*)$"));
	assert_true(pattern_fits_all("x?"));
	assert_false(pattern_fits_all("^> "));
}

TEST(lesson__replaces_the_directory_and_numbers)
{
	l.varies = "touch|afw-was-here|teach-pear";
	show(LESSON_EMPTY, "you@host:/tmp/x/teach-pear$");
	show(LESSON_DRAFT, "[12] you /tmp/x/teach-pear $ " TEXT);
	expect("composer = ^\\[[0-9]+\\] you .+ \\$( .*)?$\n");
}

TEST(lesson__finds_the_row_that_is_there_only_while_it_works)
{
	show(LESSON_EMPTY, BANNER "> \nmodel x · 0%");
	show(LESSON_DRAFT, BANNER "> " TEXT "model x · 0%");
	works(BANNER "You: " TEXT
		     " ⠋ Thinking (0s · esc to stop)\n>\nmodel x · 0%",
	      500);
	works(BANNER "You: " TEXT
		     "Rain fa\n ⠙ Weighing (1s · esc to stop)\n>\nmodel x · 3%",
	      500);
	show(LESSON_MESSAGE, BANNER "You: " TEXT "Rain falls\n>\nmodel x · 5%");
	expect("busy = ^ [⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]+ +(.*) *\\(.*esc to stop\n");
	expect("interrupt = Escape\n");
	expect("prompt = ^You:\n");
	expect_no("Rain");
	expect_no("busy = ^(model");
}

TEST(lesson__finds_the_sign_of_an_answer)
{
	show(LESSON_EMPTY, BANNER "❯ Ask");
	show(LESSON_DRAFT, BANNER RULE "❯ " TEXT);
	show(LESSON_MESSAGE, BANNER "❯ " TEXT "\n● Rain falls\n  more\n❯ Ask");
	expect("answer = ^● +(.*)$\nnot_said = ^───\n");
	show(LESSON_MESSAGE, BANNER "You: " TEXT "❯ Ask");
	expect_no("answer");
	show(LESSON_MESSAGE, BANNER "You: " TEXT "Rain falls\n❯ Ask");
	expect_no("answer");
}

TEST(lesson__takes_several_rows_if_one_is_not_always_there)
{
	show(LESSON_EMPTY, ">");
	show(LESSON_DRAFT, "> " TEXT);
	works("* Thinking\n>", 400);
	works("* Running a tool\n>", 600);
	works("part of the ans\n>", 50);
	show(LESSON_MESSAGE, "part of the answer\n>");
	expect("busy = ^[^ ]+ +(Running a tool)$\n");
	expect_no("part of");
}

TEST(lesson__reads_an_approval_with_numbers)
{
	l.varies = "touch|afw-was-here";
	show(LESSON_EMPTY, ">");
	show(LESSON_APPROVAL, "text 1. Yes\n╭───────╮\n│ Allow 'touch'?  │\n"
			      "│ › 1. Yes, once │\n│   2. Yes, always │\n"
			      "│   3. No (esc) │\n╰───────╯\nEnter to select");
	expect("approve_option = ^│ › ([0-9])\\. Yes, once *│\n");
	expect("approve_option = ^│   ([0-9])\\. Yes, once *│\n");
	expect("deny_option = ^│   ([0-9])\\. No \\(esc\\) *│\n");
	expect("question = ^│ (Allow .+\\?) *│\n");
	expect("approval = ^│ (Allow .+\\?) *│\n");
	expect("approval_top = ^╭──\n");
	expect("waiting = ^(Enter to select)$\n");
	expect("approve = {option}\ndeny = Escape\n");
	expect_no("always");
}

TEST(lesson__reads_an_approval_with_letters)
{
	show(LESSON_APPROVAL, "You: ask\nRun it? (y/n)");
	show(LESSON_ANSWER, "You: ask\nIt ran");
	expect("waiting = ^(Run it\\? \\(y/n\\))$\n");
	expect("approval = ^(Run it\\? \\(y/n\\))$\n");
	expect("approve = y\ndeny = n\n");
	/* What is still there after the answer is not the dialog. */
	show(LESSON_ANSWER, "You: ask\nRun it? (y/n)");
	assert_string_equal(propose(), "");
}

TEST(lesson__escapes_what_a_screen_has)
{
	show(LESSON_EMPTY, "a.b*c [x] ; # $");
	show(LESSON_DRAFT, "a.b*c [x] ; # $ " TEXT);
	expect("composer = ^a\\.b\\*c \\[x\\] [;] [#] \\$( .*)?$\n");
}
