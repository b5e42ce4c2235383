/* test_base_utf8.c - UTF-8 read strictly, measured, made safe to show. */
#include <locale.h>
#include <wchar.h>

#include "base/utf8.h"
#include "support_unit.h"

TEST(utf8__takes_every_scalar_back)
{
	char out[4];

	for (uint32_t cp = 0; cp <= 0x10ffff; cp++) {
		uint32_t back = ~0U;
		size_t n = utf8_encode(cp, out);

		if (cp >= 0xd800 && cp <= 0xdfff) {
			assert_int_equal(utf8_decode(out, n, &back), 0);
			continue;
		}
		assert_int_equal(utf8_decode(out, n, &back), n);
		assert_int_equal(back, cp);
		/* A cut sequence is not a character. */
		assert_int_equal(utf8_decode(out, n - 1, &back), 0);
	}
}

TEST(utf8__refuses_what_rfc_3629_does)
{
	static const char *const bad[] = {"\x80",
					  "\xbf",
					  "\xc0\x80",
					  "\xc1\xbf",
					  "\xe0\x9f\xbf",
					  "\xed\xa0\x80",
					  "\xf0\x8f\xbf\xbf",
					  "\xf4\x90\x80\x80",
					  "\xf5\x80\x80\x80",
					  "\xff",
					  "\xc3(",
					  "\xe2\x82",
					  "\xf0\x9f\x98",
					  "\xf8\x88\x80\x80\x80"};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		uint32_t cp;

		assert_false(utf8_valid(bad[i], strlen(bad[i])));
		assert_int_equal(utf8_decode(bad[i], strlen(bad[i]), &cp), 0);
	}
	assert_true(utf8_valid("", 0));
	assert_true(utf8_valid(NULL, 0));
	assert_true(utf8_valid("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 10));
}

TEST(utf8__knows_what_more_bytes_may_complete)
{
	static const struct {
		const char *text;
		size_t whole;
	} cases[] = {
	    {"ab", 2},		 {"a\xc3", 1},	      {"a\xe2\x9b", 1},
	    {"\xf0\x9f\x9b", 0}, {"\xf4\x8f", 0},     {"a\xed\x9f", 1},
	    {"\xe0\xa0", 0},	 {"a\xe0\x9b", 3},    {"\xed\xa0", 2},
	    {"\xf4\x90", 2},	 {"\xf0\x8f\x80", 3}, {"\xc0", 1},
	    {"\x9b", 1},	 {"\xe2\x9b\x84", 3}, {"", 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		assert_int_equal(
		    utf8_whole(cases[i].text, strlen(cases[i].text)),
		    cases[i].whole);
}

TEST(utf8__widths_of_what_is_seen_daily)
{
	assert_int_equal(utf8_width("abc", 3), 3);
	assert_int_equal(utf8_fit("abc", 3, 2), 2);
	assert_int_equal(utf8_fit("abc", 3, 9), 3);
	assert_int_equal(utf8_fit("a\xe6\x97\xa5", 4, 2), 1);
	assert_int_equal(utf8_fit("a\xe6\x97\xa5", 4, 3), 4);
	/* Combining marks stay with their character. */
	assert_int_equal(utf8_fit("e\xcc\x81x", 4, 1), 3);
	assert_int_equal(utf8_width("\xc3\xa9", 2), 1);
	assert_int_equal(utf8_width("e\xcc\x81", 3), 1);
	assert_int_equal(utf8_width("\xe6\x97\xa5\xe6\x9c\xac", 6), 4);
	assert_int_equal(utf8_width("\xf0\x9f\x98\x80", 4), 2);
	assert_int_equal(utf8_width("\xe2\x94\x80", 3), 1); /* box */
	assert_int_equal(utf8_cp_width(0x1faff), 2); /* not assigned yet */
	assert_int_equal(utf8_cp_width(0xe000), 1);
	assert_int_equal(utf8_width("a\xff\xfe", 3), 3);
	assert_int_equal(utf8_width("\x1b", 1), 0);
}

TEST(utf8__a_cluster_is_not_cut)
{
	static const struct {
		const char *text;
		size_t len;
		int cols;
	} cases[] = {
	    {"ab", 1, 1},	  {"e\u0301b", 3, 1},
	    {"👩\u200d💻b", 11, 2}, {"👨\u200d👩\u200d👧\u200d👦", 25, 2},
	    {"👍🏽b", 8, 2},  {"👩🏽\u200d💻b", 15, 2},
	    {"🇩🇪🇫🇷", 8, 2},	  {"❤\ufe0f!", 6, 1},
	    {"日\u200d本", 6, 2}, /* no emoji */
	    {"a\u200db", 4, 1},	  {"a🏽", 1, 1},
	    {"\xff\u0301", 1, 1}, {"", 0, 0},
	};
	int cols;

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		const char *s = cases[i].text;

		assert_int_equal(utf8_cluster(s, strlen(s), &cols),
				 cases[i].len);
		assert_int_equal(cols, cases[i].cols);
	}
	assert_int_equal(utf8_fit("a👩\u200d💻b", 13, 2), 1);
	assert_int_equal(utf8_fit("a👩\u200d💻b", 13, 3), 12);
	assert_int_equal(utf8_width("a👩\u200d💻b", 13), 4);
}

TEST(utf8__printable_is_one_safe_line)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"plain", "plain"},
	    {"a\tb\nc", "a b c"},
	    {"\x1b[31mred", "?[31mred"},
	    {"del\x7f", "del?"},
	    {"c1\xc2\x9b", "c1?"},
	    {"bidi\xe2\x80\xae", "bidi?"},
	    {"zero\xe2\x80\x8b", "zero?"},
	    {"tag\xf3\xa0\x81\x81", "tag?"},
	    {"hidden\xf3\xa0\x84\x80", "hidden?"},
	    {"bad\xff\xc3", "bad??"},
	    {"\xc3\xa9\xe6\x97\xa5", "\xc3\xa9\xe6\x97\xa5"},
	};
	char dst[64];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t n = utf8_printable(dst, sizeof dst, cases[i].in,
					  strlen(cases[i].in));

		assert_string_equal(dst, cases[i].out);
		assert_int_equal(n, strlen(dst));
	}
}

TEST(utf8__output_has_no_sequences)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"\x1b[1;31mred\x1b[0m \x1b[?25lx\x1b(B\x1b[m", "red x"},
	    {"\x1b]8;;http://x/\x1b\\link\x1b]8;;\a.", "link."},
	    {"cut \x1b[3", "cut "},
	    {"\x1b]0;open", "?]0;open"},
	    {"\x1b]0;a\nb\a", "?]0;a b?"},
	    {"\x1b[3\x1b[1mx\x1b", "?[3x?"},
	    {"\x1bP1\x1b\\ \xc2\x9b"
	     "1m",
	     "?P1?\\ ?1m"},
	    {"", ""},
	};
	char dst[64];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		utf8_output(dst, sizeof dst, cases[i].in, strlen(cases[i].in));
		assert_string_equal(dst, cases[i].out);
	}
}

TEST(utf8__last_line_is_one_that_shows_something)
{
	static const struct {
		const char *in, *out;
	} cases[] = {
	    {"one\ntwo\n \n", "two"},
	    {"one\n\x1b[31mtwo\n\x1b[0m\n\n", "two"},
	    {"\x1b[0m\n", ""},
	    {"\n", ""},
	    {"", ""},
	};
	char dst[64];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		utf8_last_line(dst, sizeof dst, cases[i].in,
			       strlen(cases[i].in));
		assert_string_equal(dst, cases[i].out);
	}
	utf8_last_line(dst, sizeof dst, NULL, 0);
	assert_string_equal(dst, "");
}

TEST(utf8__printable_cuts_between_characters)
{
	char dst[4];

	assert_int_equal(utf8_printable(dst, sizeof dst, "ab\xe2\x82\xac", 5),
			 2);
	assert_string_equal(dst, "ab");
	assert_int_equal(utf8_printable(dst, sizeof dst, "\xe2\x82\xac!", 4),
			 3);
	assert_string_equal(dst, "\xe2\x82\xac");
	assert_int_equal(utf8_printable(dst, 1, "abc", 3), 0);
	assert_string_equal(dst, "");
	assert_int_equal(utf8_printable(NULL, 0, "abc", 3), 0);
}
