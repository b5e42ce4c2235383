/* test_rules.c - configuration into verdicts on screens. */
#include <time.h>

#include "adapters/adapter.h"
#include "adapters/screen/rules.h"
#include "base/file.h"
#include "base/json.h"
#include "support_unit.h"
#include "support_view.h"

#include <fcntl.h>

static struct rules *compile(const char *json)
{
	cJSON *config = cJSON_Parse(json);
	struct err err = {0};
	struct rules *r;

	assert_non_null(config);
	r = rules_create(config, &err);
	cJSON_Delete(config);
	if (r == NULL)
		fail_msg("%s", err.what);
	return r;
}

static void expect_refused(const char *json, const char *why)
{
	cJSON *config = cJSON_Parse(json);
	struct err err = {0};

	assert_non_null(config);
	assert_null(rules_create(config, &err));
	cJSON_Delete(config);
	if (strstr(err.what, why) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", err.what, why);
}

static struct screen_state read_at(const char *json, const char *screen)
{
	struct rules *r = compile(json);
	struct recorded rec;
	struct screen_state look;

	recorded_text(&rec, screen, 80);
	rules_read_screen(r, &rec.view, -1, &look);
	recorded_finish(&rec);
	rules_destroy(r);
	return look;
}

/* Whether a screen without a composer may be half drawn. */
static bool half_drawn(const char *screen, bool updating, bool synchronized)
{
	static const struct adapter any = {.name = "any"};
	struct rules *r = compile("{\"composer\":[\"^>\"],"
				  "\"overlay\":[\"^search:\"]}");
	struct recorded rec;
	struct screen_state look;

	recorded_text(&rec, screen, 80);
	rec.view.updating = updating;
	rec.view.synchronized = synchronized;
	adapter_read_screen(&any, r, &rec.view, &look);
	recorded_finish(&rec);
	rules_destroy(r);
	return look.half_drawn;
}

TEST(rules__doubt_a_screen_without_a_composer)
{
	assert_true(half_drawn("hello", false, false));
	assert_false(half_drawn("hello\n> ", false, false));
	assert_false(half_drawn("search: x\nhello", false, false));
	assert_false(half_drawn("hello", false, true));
	assert_true(half_drawn("hello", true, true));
}

/* Copilot shows its cursor behind the update that draws its composer. */
TEST(rules__doubt_a_composer_whose_cursor_is_hidden)
{
	static const struct adapter any = {.name = "any"};
	struct rules *r = compile(
	    "{\"composer\":[\"^>(.*)$\"],\"composer_top\":[\"^--\"],"
	    "\"composer_end\":[\"^--\"],\"composer_cursor\":[\"yes\"]}");
	struct recorded rec;
	struct screen_state look;

	recorded_text(&rec, "hello\n--\n>\n--", 80);
	rec.view.cursor_row = 2;
	rec.view.synchronized = true;
	adapter_read_screen(&any, r, &rec.view, &look);
	assert_int_equal(look.composer, COMPOSER_ABSENT);
	assert_true(look.half_drawn);
	rec.view.cursor_visible = true;
	adapter_read_screen(&any, r, &rec.view, &look);
	assert_int_equal(look.composer, COMPOSER_EMPTY);
	recorded_finish(&rec);
	rules_destroy(r);
}

TEST(rules__keep_settings)
{
	struct rules *r = compile("{\"command\":[\"a b\",\"c d\"],"
				  "\"enter_delay\":[\"70\"],"
				  "\"send_busy\":[\"yes\"]}");

	assert_string_equal(rules_get(r, "command"), "c d");
	assert_null(rules_get(r, "resume"));
	assert_null(rules_get(r, "nothing"));
	assert_null(rules_get(NULL, "command"));
	assert_int_equal(rules_get_int(r, "enter_delay", 5), 70);
	assert_int_equal(rules_get_int(r, "ready_timeout", 5), 5);
	assert_true(rules_get_bool(r, "send_busy", false));
	rules_destroy(r);
	rules_destroy(NULL);
	rules_destroy(rules_create(NULL, NULL));
}

TEST(rules__give_keys_up_to_a_pause)
{
	static const char keys[] = "Escape a 400 C-c  50 1 2";
	struct buf b = {0};
	size_t at = 0;

	assert_int_equal(rules_next_keys(keys, &at, &b), 400);
	assert_string_equal(b.data, "\033a");
	assert_int_equal(rules_next_keys(keys, &at, &b), 50);
	assert_string_equal(b.data, "\033a\003");
	assert_int_equal(rules_next_keys(keys, &at, &b), 0);
	assert_string_equal(b.data, "\033a\00312");
	assert_int_equal(rules_next_keys(keys, &at, &b), 0);
	buf_finish(&b);
}

static void check_answer(const char *json, const char *screen, const char *want)
{
	struct rules *r = compile(json);
	struct buf b = {0};
	struct recorded rec;

	recorded_text(&rec, screen, 80);
	assert_int_equal(rules_answer(r, &rec.view, &b), want != NULL);
	if (want)
		assert_string_equal(b.data, want);
	buf_finish(&b);
	recorded_finish(&rec);
	rules_destroy(r);
}

TEST(rules__find_the_answer)
{
	static const char keys[] =
	    "{\"answer\":[\"^\\\\* (.*)$\"],\"not_said\":[\"^\\\\* Ran "
	    "\",\"^--\"],"
	    "\"prompt\":[\"^You: \"],\"composer\":[\"^>(.*)$\"]}";
	static const char plain[] = "{\"answer\":[\"^[A-Z]\"],"
				    "\"composer\":[\"^>(.*)$\"]}";
	static const char bordered[] = "{\"answer\":[\"^\\\\* (.*)$\"],"
				       "\"composer\":[\"^>(.*)$\"],"
				       "\"composer_end\":[\"^--\"]}";

	check_answer(keys,
		     "* old\nYou: x\n* Ran it\n* one\n  two\n\n    three\n\n"
		     "-- tip\n>",
		     "one\ntwo\n\n  three");
	check_answer(keys, "* old\nYou: x\n* Ran it\n>", NULL);
	check_answer(keys, "* one", "one");
	check_answer(keys, ">", NULL);
	check_answer(plain, "Earlier\n> hi\n\nOne\nTwo\n\n>", "One\nTwo");
	check_answer("{\"prompt\":[\"^>\"]}", "x\n> y\nz", NULL);
	check_answer(bordered, "* one\n\n----\n>\n----", "one");
}

/* With such brackets and repetitions a pattern matches what it should. */
TEST(rules__take_characters_of_several_bytes)
{
	struct rules *r =
	    compile("{\"busy\":[\"^[✗●]+ a\",\"^(✗|●) b (┃)?$\",\"x[^ ┃]$\","
		    "\"^\\\\[✗ c\",\"✗[?]\"]}");

	assert_true(rules_match(r, "busy", "● a", NULL, 0));
	assert_true(rules_match(r, "busy", "● b ┃", NULL, 0));
	rules_destroy(r);
}

TEST(rules__refuse_what_is_wrong)
{
	char longest[600];

	expect_refused("{\"bussy\":[\"x\"]}", "bussy");
	expect_refused("{\"busy\":[\"a(b\"]}", "busy");
	expect_refused("{\"busy\":[7]}", "busy");
	expect_refused("{\"busy\":[\"(a)\\\\1\"]}", "back-reference");
	expect_refused("{\"busy\":[\"((a{1,200}){1,200}){1,200}\"]}",
		       "repeats");
	expect_refused("{\"busy\":[\"a{1,2000000}\"]}", "repeats");
	expect_refused("{\"enter_delay\":[\"soon\"]}", "soon");
	expect_refused("{\"enter_delay\":[\"99999999\"]}", "enter_delay");
	expect_refused("{\"send_busy\":[\"maybe\"]}", "maybe");
	expect_refused("{\"command\":[\"a 'b\"]}", "open");
	expect_refused("{\"mcp_file\":[\"my/file\"]}", "begins with");
	expect_refused("{\"interrupt\":[\"Escap\"]}", "Escap");
	expect_refused("{\"interrupt\":[\"Escape 400\"]}", "between");
	expect_refused("{\"interrupt\":[\"a 49 b\"]}", "50 ms");
	expect_refused("{\"interrupt\":[\"a 1999 b 50 c\"]}", "2000 ms");
	expect_refused("{\"deny\":[\"{option}00 b\"]}", "x00");
	expect_refused("{\"guard\":[\"400 a\"]}", "400");
	expect_refused("{\"guard\":[\"U+7\"]}", "U+7");
	expect_refused("{\"env\":[\"7=x\"]}", "NAME=VALUE");
	expect_refused("{\"env\":[\"HOME\"]}", "NAME=VALUE");
	expect_refused("{\"env\":[\"OPENAI_API_KEY=x\"]}", "secret");
	expect_refused("{\"guard\":[\"U+D800\"]}", "U+D800");
	expect_refused("{\"needs_files\":[\".x/a /etc/shadow\"]}",
		       "/etc/shadow: not a file below");
	expect_refused("{\"needs_files\":[\"../x\"]}", "below the home");
	expect_refused("{\"busy\":[\".*\"]}", "busy = .*: matches any row");
	expect_refused("{\"busy\":[\"^[✗●] x\"]}", "matches bytes");
	expect_refused("{\"busy\":[\"^[✗●]? x\"]}", "matches bytes");
	expect_refused("{\"busy\":[\"x[]✗]\"]}", "matches bytes");
	expect_refused("{\"busy\":[\"x ┃?$\"]}", "about one byte");
	expect_refused("{\"busy\":[\"^─+$\"]}", "about one byte");
	expect_refused("{\"waiting\":[\"a|\"]}", "matches any row");
	expect_refused("{\"busy\":[\"^x\"],\"idle\":[\"^y\",\"^x\"]}",
		       "idle = ^x: busy has the same pattern");
	expect_refused("{\"settings_json\":[\"[1]\"]}", "settings_json");
	expect_refused("{\"hook_prompt\":[\"x\"]}", "hook_done is missing");
	expect_refused("{\"conversation_file\":[\"/x/*\"]}",
		       "conversation_cwd is missing");
	expect_refused("{\"conversation_file\":[\"x/*\"]}", "begins with");
	expect_refused("{\"composer_top\":[\"^-\"]}", "composer_end");
	snprintf(longest, sizeof longest, "{\"busy\":[\"%0500d\"]}", 1);
	expect_refused(longest, "400");
}

TEST(rules__every_key_is_in_the_manual)
{
	struct buf text = {0};

	assert_int_equal(
	    file_read(AT_FDCWD, "man/afw-adapters.5", 1 << 20, &text, NULL), 0);
	for (const struct rules_key *k = rules_keys; k->name; k++) {
		char *item = mem_printf("\n.It Ic %s\n", k->name);

		if (strstr(text.data, item) == NULL)
			fail_msg("%s", k->name);
		free(item);
	}
	buf_finish(&text);
}

TEST(rules__a_question_overrides_work)
{
	struct screen_state l;

	l = read_at("{\"busy\":[\"working\"],\"waiting\":[\"\\\\[y/n\\\\]$\"],"
		    "\"question\":[\"^Q: (.*)\"]}",
		    "Q: remove it?\nworking\n  [y/n]\n\n");
	assert_int_equal(l.reading.activity, ACTIVITY_WAITING_FOR_INPUT);
	assert_int_equal(l.reading.source, SOURCE_SCREEN);
	assert_true(l.reading.question);
	assert_string_equal(l.reading.detail, "remove it?");
	l = read_at("{\"busy\":[\"work(ing.*)\"]}", "working hard\nx");
	assert_int_equal(l.reading.activity, ACTIVITY_WORKING);
	assert_string_equal(l.reading.detail, "ing hard");
	l = read_at("{\"thinking\":[\"hmm\"],\"busy\":[\"hm+\"]}", "hmm");
	assert_int_equal(l.reading.activity, ACTIVITY_THINKING);
	l = read_at("{\"error\":[\"^Error: (.*)\"]}", "Error: a\nError: b");
	assert_true(l.reading.failed);
	assert_string_equal(l.reading.detail, "b");
	l = read_at("{\"queued\":[\"^Queued\"]}", "Queued:\none\n> \n\n");
	assert_true(l.queued);
	assert_int_equal(l.reading.activity, ACTIVITY_NONE);
	l = read_at("{\"queued\":[\"^Queued\"],\"rows\":[\"2\"]}",
		    "Queued:\none\n> \n\n");
	assert_false(l.queued);
	l = read_at("{\"idle\":[\"^> \"]}", "> ");
	assert_int_equal(l.reading.activity, ACTIVITY_IDLE);
	l = read_at("{}", "anything");
	assert_int_equal(l.reading.activity, ACTIVITY_NONE);
	assert_int_equal(l.composer, COMPOSER_UNKNOWN);
}

TEST(rules__look_only_at_the_bottom_rows)
{
	struct screen_state l;

	l = read_at("{\"rows\":[\"2\"],\"busy\":[\"busy\"]}",
		    "busy\none\ntwo\n\n\n");
	assert_int_equal(l.reading.activity, ACTIVITY_NONE);
	l = read_at("{\"rows\":[\"3\"],\"busy\":[\"busy\"]}",
		    "busy\none\ntwo\n\n\n");
	assert_int_equal(l.reading.activity, ACTIVITY_WORKING);
}

static enum composer composer_of(const char *json, const char *screen)
{
	return read_at(json, screen).composer;
}

TEST(rules__tell_a_draft)
{
	static const char *const plain = "{\"composer\":[\"^>( .*)?$\"],"
					 "\"placeholder\":[\"^Ask \"]}";
	static const char *const box =
	    "{\"composer\":[\"^│ >(.*)│$\"],\"composer_end\":[\"^╰─\"]}";

	assert_int_equal(composer_of(plain, "no"), COMPOSER_ABSENT);
	assert_int_equal(composer_of(plain, "x\n>"), COMPOSER_EMPTY);
	assert_int_equal(composer_of(plain, "> draft"), COMPOSER_DRAFT);
	assert_int_equal(composer_of(plain, "> Ask me"), COMPOSER_EMPTY);
	assert_int_equal(composer_of(plain, "> \033[2mghost\033[22m"),
			 COMPOSER_EMPTY);
	assert_int_equal(composer_of(box, "│ >   │\n╰─────╯\nstatus"),
			 COMPOSER_EMPTY);
	/* A draft whose first line is empty. */
	assert_int_equal(composer_of(box, "│ >   │\n│ two │\n╰─────╯"),
			 COMPOSER_DRAFT);
}

TEST(rules__find_a_composer_without_a_mark)
{
	static const char *const between =
	    "{\"composer_top\":[\"^---\"],\"composer_end\":[\"^---\"],"
	    "\"placeholder\":[\"^Ask \"]}";
	static const char *const bar =
	    "{\"composer\":[\"^┃( .*)?$\"],\"composer_top\":[\"^╻\"],"
	    "\"composer_end\":[\"^╹\"]}";

	assert_int_equal(composer_of(between, "text"), COMPOSER_ABSENT);
	assert_int_equal(composer_of(between, "---\n"), COMPOSER_ABSENT);
	assert_int_equal(composer_of(between, "---\n\n---\n$0.00"),
			 COMPOSER_EMPTY);
	assert_int_equal(composer_of(between, "---\ndraft\n---\n$0.00"),
			 COMPOSER_DRAFT);
	assert_int_equal(composer_of(between, "---\n\ndraft\n---\n$0.00"),
			 COMPOSER_DRAFT);
	assert_int_equal(composer_of(between, "---\n  Ask me\n---\n"),
			 COMPOSER_EMPTY);
	/* Its lowest row is empty, but it is not. */
	assert_int_equal(composer_of(bar, "╻▄▄\n┃ one\n┃\n╹▀▀"),
			 COMPOSER_DRAFT);
	assert_int_equal(composer_of(bar, "╻▄▄\n┃\n╹▀▀"), COMPOSER_EMPTY);
	assert_int_equal(composer_of(bar, "╻▄▄\nEnter: yes\n╹▀▀"),
			 COMPOSER_ABSENT);
}

TEST(rules__leave_older_rows_alone)
{
	static const char *const errors =
	    "{\"error\":[\"^Error: (.*)\"],\"composer\":[\"^>( .*)?$\"],"
	    "\"busy\":[\"^busy\"]}";
	static const char *const prompts =
	    "{\"error\":[\"^Error: (.*)\"],\"prompt\":[\"^you: \"]}";
	static const char *const asks =
	    "{\"waiting\":[\"^1. Yes\"],\"question\":[\"^[$] (.*)\"],"
	    "\"approval_top\":[\"^---\"]}";
	struct screen_state l;

	l = read_at(errors, "> one\nError: 401\n> two\ngood\n>");
	assert_false(l.reading.failed);
	l = read_at(errors, "> one\ngood\n> two\nError: 401\n>");
	assert_true(l.reading.failed);
	l = read_at(prompts, "you: one\nError: 401\nyou: two\ngood");
	assert_false(l.reading.failed);
	l = read_at(prompts, "you: one\ngood\nyou: two\nError: 401");
	assert_true(l.reading.failed);
	l = read_at(asks, "$ rm old\n---\n1. Yes");
	assert_true(l.reading.question);
	assert_string_equal(l.reading.detail, "1. Yes");
	l = read_at(asks, "$ rm old\n---\n$ rm new\n1. Yes");
	assert_string_equal(l.reading.detail, "rm new");
}

TEST(rules__are_fast_on_long_rows)
{
	/* Each one would take a backtracking engine for ever. */
	struct rules *r = compile("{\"busy\":[\"(a*)*b\",\"(a|aa)+$\","
				  "\"(.*)(.*)(.*)(.*)x\",\"a{1,60}a{1,30}y\"],"
				  "\"waiting\":[\"(a?){50}a{20}z\"]}");
	char *text = malloc(50 * 4001);
	struct recorded rec;
	struct screen_state look;
	clock_t start; /* CPU time: others may have the machine */

	for (int i = 0; i < 50; i++) {
		memset(text + i * 4001, 'a', 4000);
		text[i * 4001 + 4000] = i < 49 ? '\n' : '\0';
	}
	recorded_text(&rec, text, 200);
	start = clock();
	rules_read_screen(r, &rec.view, -1, &look);
	assert_true(clock() - start < 3 * CLOCKS_PER_SEC);
	recorded_finish(&rec);
	rules_destroy(r);
	free(text);
}
