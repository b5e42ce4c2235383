/* test_tui_sgr.c - colour sequences, and what must not come through. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "tui/sgr.h"

/* All characters of text; *last is the style of the last one. */
static char *read_all(const char *text, size_t len, struct style *last)
{
	struct buf out = {0};
	struct style st = STYLE_PLAIN;
	struct sgr s;
	uint32_t cp;

	sgr_init(&s, text, len, STYLE_PLAIN);
	while (sgr_next(&s, &cp, &st)) {
		char c[4];

		buf_add(&out, c, utf8_encode(cp, c));
	}
	if (last)
		*last = st;
	return buf_steal(&out);
}

static void expect(const char *text, const char *wanted)
{
	char *got = read_all(text, strlen(text), NULL);

	assert_string_equal(got, wanted);
	free(got);
}

static struct style style_of(const char *text)
{
	struct style st;

	free(read_all(text, strlen(text), &st));
	return st;
}

static void test_sgr__colours(void **state)
{
	(void)state;
	assert_int_equal(style_of("x").fg, STYLE_DEFAULT);
	assert_int_equal(style_of("\033[31mx").fg, 1);
	assert_int_equal(style_of("\033[31;42mx").bg, 2);
	assert_int_equal(style_of("\033[97mx").fg, 15);
	assert_int_equal(style_of("\033[100mx").bg, 8);
	assert_int_equal(style_of("\033[38;5;208mx").fg, 208);
	assert_int_equal(style_of("\033[38:5:208mx").fg, 208);
	assert_int_equal(style_of("\033[48;2;1;2;3mx").bg, STYLE_RGB(1, 2, 3));
	assert_int_equal(style_of("\033[38:2:1:2:3mx").fg, STYLE_RGB(1, 2, 3));
	assert_int_equal(style_of("\033[38:2::1:2:3mx").fg,
			 STYLE_RGB(1, 2, 3));
	assert_int_equal(style_of("\033[31m\033[39mx").fg, STYLE_DEFAULT);
	assert_int_equal(style_of("\033[31m\033[mx").fg, STYLE_DEFAULT);
	assert_int_equal(style_of("\033[31;0mx").fg, STYLE_DEFAULT);
	/* The rest of the sequence still counts. */
	assert_int_equal(style_of("\033[38;5;9;1mx").attrs, STYLE_BOLD);
	assert_int_equal(style_of("\033[38;2;1;2;3;4mx").attrs,
			 STYLE_UNDERLINE);
	assert_int_equal(style_of("\033[58;2;1;2;3;1mx").attrs, STYLE_BOLD);
}

static void test_sgr__attributes(void **state)
{
	(void)state;
	assert_int_equal(style_of("\033[1;2;3;4;5;7;8;9mx").attrs, 0xff);
	assert_int_equal(style_of("\033[1;2;22mx").attrs, 0);
	assert_int_equal(style_of("\033[3;7;23mx").attrs, STYLE_REVERSE);
	assert_int_equal(style_of("\033[4:3mx").attrs, STYLE_UNDERLINE);
	assert_int_equal(style_of("\033[4m\033[4:0mx").attrs, 0);
	assert_int_equal(style_of("\033[7;27mx").attrs, 0);
}

static void test_sgr__broken_sequences_are_harmless(void **state)
{
	(void)state;
	assert_int_equal(style_of("\033[38mx").fg, STYLE_DEFAULT);
	assert_int_equal(style_of("\033[38;5mx").fg, 0);
	assert_int_equal(style_of("\033[38;2;9mx").fg, STYLE_RGB(9, 0, 0));
	assert_int_equal(style_of("\033[38;5;999999999999mx").fg, 255);
	assert_int_equal(style_of("\033[?31mx").fg, STYLE_DEFAULT);
	expect("a\033", "a");
	expect("a\033[", "a");
	expect("a\033[31", "a");
	expect("a\033[31\033[32mb", "ab");
	expect("a\033[3\nb", "a b");
	expect("\033[1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2"
	       ";3;4;5;6;7;8;9mb",
	       "b");
}

static void test_sgr__other_sequences_are_swallowed(void **state)
{
	(void)state;
	expect("a\033[2Jb", "ab");
	expect("a\033]0;title\ab", "ab");
	expect("a\033]52;c;aGk=\033\\b", "ab");
	expect("a\033Pq#0\033\\b", "ab");
	expect("a\033(0b", "ab");
	expect("a\033cb", "ab");
	expect("a\033]never ends", "a");
}

static void test_sgr__unsafe_characters_are_marked(void **state)
{
	char *got = read_all("a\0b", 3, NULL);

	(void)state;
	assert_string_equal(got, "a?b");
	free(got);
	expect("a\x01\x7f\r"
	       "b",
	       "a???b");
	expect("a\xc2\x9b"
	       "31mb",
	       "a?31mb");
	expect("a\u202eb\u2066c\u200bd", "a?b?c?d");
	expect("a\xff\xc3-b", "a?\?-b"); /* no trigraph */
	expect("a\tb", "a b");
	/* They would move what comes behind. */
	expect("a\u200db\ufe0fc", "abc");
}

static void test_sgr__width_is_in_columns(void **state)
{
	(void)state;
	assert_int_equal(sgr_width("\033[31mab\033[m", 10), 2);
	assert_int_equal(sgr_width("日本", strlen("日本")), 4);
	assert_int_equal(sgr_width("e\u0301", 3), 1);
}

static void test_style__fewer_colours(void **state)
{
	bool bright;

	(void)state;
	assert_int_equal(style_nearest_256(STYLE_RGB(255, 0, 0)), 196);
	assert_int_equal(style_nearest_256(STYLE_RGB(0, 0, 0)), 16);
	assert_int_equal(style_nearest_256(STYLE_RGB(255, 255, 255)), 231);
	assert_int_equal(style_nearest_256(STYLE_RGB(118, 118, 118)), 243);
	for (int i = 16; i < 256; i++)
		assert_int_equal(
		    style_palette_rgb(style_nearest_256(style_palette_rgb(i))),
		    style_palette_rgb(i));
	assert_int_equal(style_nearest_8(9, &bright), 1);
	assert_true(bright);
	assert_int_equal(style_nearest_8(196, &bright), 1);
	assert_true(bright);
	assert_int_equal(style_nearest_8(STYLE_RGB(0, 200, 0), &bright), 2);
	assert_false(bright);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sgr__colours),
	    cmocka_unit_test(test_sgr__attributes),
	    cmocka_unit_test(test_sgr__broken_sequences_are_harmless),
	    cmocka_unit_test(test_sgr__other_sequences_are_swallowed),
	    cmocka_unit_test(test_sgr__unsafe_characters_are_marked),
	    cmocka_unit_test(test_sgr__width_is_in_columns),
	    cmocka_unit_test(test_style__fewer_colours),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
