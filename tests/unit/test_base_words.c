/* test_base_words.c - a line split into words, without a shell. */
#include "base/words.h"
#include "support_unit.h"

static struct err err;

static void splits(const char *text, const char *want)
{
	struct strv words = {0}, again = {0};
	struct buf joined = {0}, line = {0};

	if (words_split(text, &words, &err) < 0)
		fail_msg("%s", err.what);
	buf_adds(&line, "");
	for (size_t i = 0; i < words.n; i++) {
		buf_addf(&joined, "%s|", words.v[i]);
		words_format(&line, words.v[i]);
		buf_addc(&line, ' ');
	}
	assert_string_equal(joined.data ? joined.data : "", want);
	/* What words_format() writes, words_split() reads. */
	assert_int_equal(words_split(line.data, &again, &err), 0);
	assert_int_equal(again.n, words.n);
	for (size_t i = 0; i < words.n; i++)
		assert_string_equal(again.v[i], words.v[i]);
	strv_finish(&words);
	strv_finish(&again);
	buf_finish(&joined);
	buf_finish(&line);
}

TEST(words__are_split_without_a_shell)
{
	splits("", "");
	splits("  \n ", "");
	splits("a b\tc\r\nd", "a|b|c|d|");
	splits("a 'b  c' \"d e\" f\\ g", "a|b  c|d e|f g|");
	splits("'' \"\"", "||");
	splits("x'y'\"z\"", "xyz|");
	splits("'a\\b' \"a\\b\" \"a\\\"b\\\\\" \\'", "a\\b|a\\b|a\"b\\|'|");
	splits("$HOME `id` $(id) *;|&", "$HOME|`id`|$(id)|*;|&|");
	splits("'#a' a#b # c", "#a|a#b|#|c|");
}

TEST(words__an_open_end_changes_nothing)
{
	static const char *const open[] = {"a 'b", "a \"b", "a \\", "'", "\\"};
	struct strv words = {0};

	strv_add(&words, "before");
	for (size_t i = 0; i < sizeof open / sizeof open[0]; i++) {
		assert_int_equal(words_split(open[i], &words, &err), -1);
		assert_int_equal(err.kind, ERR_USAGE);
		assert_int_equal(words.n, 1);
	}
	strv_finish(&words);
}

TEST(words__come_one_by_one)
{
	const char *s = "  one 'two three'  #";
	struct buf word = {0};

	assert_int_equal(words_next(&s, &word), 1);
	assert_string_equal(word.data, "one");
	assert_int_equal(*s, '\'');
	assert_int_equal(words_next(&s, &word), 1);
	assert_string_equal(word.data, "two three");
	assert_string_equal(s, "#");
	assert_int_equal(words_next(&s, &word), 1);
	assert_int_equal(words_next(&s, &word), 0);
	buf_finish(&word);
}

TEST(words__quoted_for_a_shell)
{
	struct buf out = {0};

	words_quote("it's $(x)", &out);
	assert_string_equal(out.data, "'it'\\''s $(x)'");
	buf_finish(&out);
}
