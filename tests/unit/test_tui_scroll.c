/* test_tui_scroll.c - texts that are read: what is kept, seen and found. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "tui/widgets/diff_files.h"
#include "support_unit.h"

/* "line 1" to "line N" */
static char *lines(int n)
{
	struct buf b = {0};

	for (int i = 1; i <= n; i++)
		buf_addf(&b, "line %d\n", i);
	return buf_steal(&b);
}

TEST(scroll__keeps_the_newest_lines_of_what_ends_with_them)
{
	struct scroll s = {.from_end = true, .page = 10};
	char *text = lines(SCROLL_MAX_LINES + 7);

	scroll_set(&s, text);
	assert_int_equal(s.n, SCROLL_MAX_LINES + 1);
	assert_string_equal(s.lines[0], "(the last 5000 of 5007 lines)");
	assert_string_equal(s.lines[1], "line 8");
	assert_string_equal(s.lines[s.n - 1], "line 5007");
	assert_true(scroll_at_end(&s));
	scroll_finish(&s);

	s = (struct scroll){.page = 10};
	scroll_set(&s, text);
	assert_string_equal(s.lines[0], "line 1");
	assert_string_equal(s.lines[s.n - 1], "(the first 5000 of 5007 lines)");
	assert_int_equal(s.top, 0);
	scroll_finish(&s);
	free(text);
}

TEST(scroll__stays_where_it_was_read_when_the_text_grows)
{
	struct scroll s = {.from_end = true, .page = 10};
	char *few = lines(50), *more = lines(60);

	scroll_by(&s, -5); /* before there is a text */
	scroll_set(&s, few);
	assert_int_equal(s.top, 35);
	scroll_set(&s, more);
	assert_int_equal(s.top, 35);
	scroll_by(&s, 100);
	assert_int_equal(s.top, 50);
	scroll_set(&s, few);
	assert_int_equal(s.top, 40);
	scroll_set(&s, more);
	assert_int_equal(s.top, 50);
	s.from_end = false;
	scroll_set(&s, "one\ntwo"); /* keys may come before it is drawn */
	assert_int_equal(s.top, 0);
	assert_false(scroll_find(&s, "line"));
	scroll_set(&s, "");
	assert_int_equal(s.n, 0);
	assert_int_equal(s.top, 0);
	assert_false(scroll_find(&s, "line"));
	assert_false(scroll_find_next(&s, true));
	scroll_finish(&s);
	free(few);
	free(more);
}

TEST(scroll__finds_onward_and_round_the_ends)
{
	struct scroll s = {.page = 10};
	char *text = lines(100);

	scroll_set(&s, text);
	assert_true(scroll_find(&s, "LINE 9"));
	assert_int_equal(s.found, 8);
	assert_int_equal(s.top, 0);
	assert_true(scroll_find_next(&s, true));
	assert_int_equal(s.found, 89);
	for (int i = 0; i < 10; i++) /* to the last page and round */
		assert_true(scroll_find_next(&s, true));
	assert_int_equal(s.found, 8);
	assert_true(scroll_find_next(&s, false));
	assert_int_equal(s.found, 98);
	assert_false(scroll_find(&s, "nothing"));
	assert_true(scroll_find(&s, ""));
	assert_null(s.find);
	scroll_finish(&s);
	free(text);
}

TEST(scroll__has_blanks_for_tabs)
{
	struct scroll s = {.page = 10};

	scroll_set(&s, "\ta\n12345678\tb\nä\tc");
	assert_int_equal(s.n, 3);
	assert_string_equal(s.lines[0], "        a");
	assert_string_equal(s.lines[1], "12345678        b");
	assert_string_equal(s.lines[2], "ä       c");
	scroll_finish(&s);
}

TEST(scroll__goes_by_hunks_and_files)
{
	static const struct {
		char key;
		size_t top;
	} steps[] = {{']', 1}, {']', 3}, {'}', 5}, {'}', 5},
		     {'[', 3}, {'{', 0}, {'[', 0}};
	struct scroll s = {.kind = SCROLL_DIFF, .page = 1};

	scroll_set(&s, "diff --git a/x b/x\n@@ -1 +1 @@\n-a\n@@ -5 +5 @@\n+b\n"
		       "diff --git a/y b/y\n@@ -1 +1 @@\n+c\n");
	for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
		assert_true(scroll_key(
		    &s, (struct key){KEY_KIND_CHAR, (uint32_t)steps[i].key}));
		assert_int_equal(s.top, steps[i].top);
	}
	s.kind = SCROLL_PLAIN;
	assert_false(scroll_key(&s, (struct key){KEY_KIND_CHAR, ']'}));
	scroll_finish(&s);
}

/* Line 0 is the first file's; its hunk has the lines 4 to 8. */
static const char DIFF[] =
    "diff --git a/x b/y b/x b/y\nindex 1..2\n--- a/x b/y\n+++ b/x b/y\n"
    "@@ -7,3 +9,4 @@\n one\n--- two\n+++ two\n+three\n"
    "diff --git a/old b/newer\nsimilarity index 100%\nrename from old\n"
    "rename to newer\n"
    "diff --git \"a/\\346\\227\\245\" \"b/\\346\\227\\245\"\n"
    "deleted file mode 100644\n--- \"a/\\346\\227\\245\"\n+++ /dev/null\n"
    "@@ -1 +0,0 @@\n-four\n"
    "diff --git \"a/a\\tb\\\"\" \"b/a\\tb\\\"\"\nBinary files differ\n";

TEST(diff_files__counts_what_the_diff_says)
{
	struct buf b = {0};

	assert_int_equal(diff_files_print(DIFF, &b), 4);
	assert_string_equal(b.data, "  FILE     CHANGES\n"
				    "  x b/y    +2 -1\n"
				    "  newer    +0 -0\n"
				    "  日       +0 -1\n"
				    "  a\tb\"     +0 -0\n"
				    "  4 files  +2 -2\n");
	buf_clear(&b);
	assert_int_equal(diff_files_print("", &b), 0);
	assert_int_equal(diff_files_print("no diff at all\n", &b), 0);
	assert_int_equal(b.len, 0);
	assert_int_equal(diff_files_print("diff --git ", &b), 1);
	assert_string_equal(b.data, "  FILE     CHANGES\n           +0 -0\n");
	buf_finish(&b);
}

TEST(diff_files__knows_the_place_of_a_line)
{
	static const struct {
		size_t line, place;
		const char *name;
	} wanted[] = {
	    {0, 10, "x b/y"}, {4, 10, "x b/y"},	 {5, 9, "x b/y"},
	    {6, 10, "x b/y"}, {7, 10, "x b/y"},	 {8, 11, "x b/y"},
	    {9, 1, "newer"},  {12, 1, "newer"},	 {13, 0, "日"},
	    {18, 0, "日"},    {20, 1, "a\tb\""}, {99, 1, "a\tb\""},
	};
	_strv_ struct strv names = {0};

	for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
		struct buf name = {0};

		assert_int_equal(diff_files_place(DIFF, wanted[i].line, &name),
				 wanted[i].place);
		assert_string_equal(name.data, wanted[i].name);
		buf_finish(&name);
	}
	assert_int_equal(diff_files_start(DIFF, 2), 13);
	diff_files_names(DIFF, &names);
	assert_int_equal(names.n, 3);
	assert_string_equal(names.v[2], "a\tb\"");
}

TEST(diff_files__keeps_the_chosen_row)
{
	struct scroll s = {.kind = SCROLL_DIFF, .chooses = true, .page = 10};

	diff_files_set(&s, "what it does\n\n", "", false);
	assert_int_equal(diff_files_chosen(&s), -1);
	diff_files_set(&s, "what it does\n\n", DIFF, false);
	assert_int_equal(diff_files_chosen(&s), 0);
	scroll_by(&s, 2);
	diff_files_set(&s, "what it\ndoes\n\n", DIFF, true);
	assert_int_equal(diff_files_chosen(&s), 2);
	assert_string_equal(s.lines[diff_files_above(&s)],
			    "diff --git a/x b/y b/x b/y");
	scroll_finish(&s);
}
