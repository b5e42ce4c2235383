/* test_plain.c - a terminal's output as lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/buf.h"
#include "commands/plain.h"

static struct buf out;
static struct plain *p;

static void add(void *ctx, int64_t t_ms, const char *text, size_t len)
{
	(void)ctx;
	(void)t_ms;
	buf_add(&out, text, len);
	buf_addc(&out, '\n');
}

static int begin(void **state)
{
	(void)state;
	buf_clear(&out);
	buf_adds(&out, "");
	p = plain_create(20, 5, add, NULL);
	return 0;
}

static int end(void **state)
{
	(void)state;
	plain_destroy(p);
	buf_finish(&out);
	return 0;
}

static void feed(int64_t t, const char *text)
{
	plain_feed(p, t, text, strlen(text));
}

static const char *told(void)
{
	return out.data ? out.data : "";
}

static void test_plain__lines_come_at_once(void **state)
{
	(void)state;
	feed(0, "one\r\ntwo\r\n\r\nfour");
	assert_string_equal(told(), "one\ntwo\n\n");
	feed(1, "teen\r\n");
	assert_string_equal(told(), "one\ntwo\n\nfourteen\n");
	for (int i = 0; i < 20; i++)
		feed(2, "same\r\n");
	buf_clear(&out);
	feed(3, "same\r\n");
	assert_string_equal(told(), "same\n");
	plain_finish(p, 4);
	assert_string_equal(told(), "same\n");
}

static void test_plain__a_spinner_is_one_line(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++)
		feed(i * 100, i % 2 ? "\r| working" : "\r/ working");
	feed(100000, "\r\033[Kdone\r\n");
	assert_string_equal(told(), "done\n");
	feed(100001, "ab\b\bxy\r\n12345\rab\r\n");
	assert_string_equal(told(), "done\nxy\nab345\n");
}

static void test_plain__colours_and_strings_are_left_out(void **state)
{
	(void)state;
	feed(0,
	     "\033[1;31mred\033[0m\033]0;title\007 \033]8;;http://x\033\\link"
	     "\033]8;;\033\\ \033Pq#1\033\\\033(Bend\r\n");
	assert_string_equal(told(), "red link end\n");
	feed(1, "a\033[");
	feed(2, "3");
	feed(3, "1mb\033]0;ti");
	feed(4, "tle\007c\r\n");
	assert_string_equal(told(), "red link end\nabc\n");
}

static void test_plain__nothing_unsafe_comes_out(void **state)
{
	(void)state;
	feed(0, "a\xe2\x80\xae"
		"b\x7f\x01\xc2\x9b"
		"31mc\xff\r\n");
	assert_string_equal(told(), "a?b?31mc\xef\xbf\xbd\n");
}

static void test_plain__long_lines_are_one(void **state)
{
	char text[151];

	(void)state;
	memset(text, 'x', 150);
	text[150] = '\0';
	feed(0, text);
	feed(0, "\r\nnext\r\n");
	plain_finish(p, 1);
	assert_int_equal(strcspn(told(), "\n"), 150);
	assert_string_equal(told() + 150, "\nnext\n");
}

static void test_plain__wide_characters_keep_their_place(void **state)
{
	(void)state;
	feed(0, "日本\r\033[4Cx e\xcc\x81\r\n");
	assert_string_equal(told(), "日本x e\xcc\x81\n");
}

/* As Ink does it: the block is written again, one line up for each. */
static void test_plain__a_repainted_block_is_told_once(void **state)
{
	(void)state;
	for (int i = 0; i < 50; i++) {
		if (i)
			feed(i * 100,
			     "\033[2K\033[1A\033[2K\033[1A\033[2K\033[G");
		feed(i * 100,
		     i % 2 ? "| thinking\r\n> \r\n" : "/ thinking\r\n> \r\n");
	}
	assert_string_equal(told(), "/ thinking\n>\n");
	feed(5000, "\033[2K\033[1A\033[2K\033[1A\033[2K\033[Ganswer\r\n> \r\n");
	plain_tick(p, 6000);
	assert_string_equal(told(), "/ thinking\n>\nanswer\n");
}

static void test_plain__a_screen_program_has_what_stands(void **state)
{
	(void)state;
	feed(0, "\033[?1049h\033[H\033[2Jtitle\033[3;1Hloading 1");
	assert_int_equal(plain_tick(p, 100), PLAIN_STABLE_MS - 100);
	feed(200, "\033[3;1Hloading 2");
	feed(600, "\033[3;1Hloaded   ");
	plain_tick(p, 800);
	assert_string_equal(told(), "title\n");
	assert_int_equal(plain_tick(p, 1300), -1);
	assert_string_equal(told(), "title\nloaded\n");
	feed(1400, "\033[5;1Hbye\033[?1049l");
	assert_string_equal(told(), "title\nloaded\nbye\n");
}

static void test_plain__a_question_is_seen_without_its_end(void **state)
{
	(void)state;
	feed(0, "Go on? ");
	assert_int_equal(plain_tick(p, 10), PLAIN_STABLE_MS - 10);
	plain_tick(p, 800);
	assert_string_equal(told(), "Go on?\n");
	assert_int_equal(plain_tick(p, 900), -1);
	plain_finish(p, 1000);
	assert_string_equal(told(), "Go on?\n");
}

static void test_plain__survives_every_size_and_place(void **state)
{
	(void)state;
	feed(0, "\033[999;999Hx\033[-5A\033[0;0H\033[99999999999L\033[5M\033[9P"
		"\033[9@\033[3;2r\033[2;4r\033[9S\033[9T\033M\033[1J\033[0J"
		"\033[;;;;;;;;;;;;;;;;;;;;;;;;;H\t\t\t\t\tend");
	plain_resize(p, 1, 1);
	feed(1, "wide 日本\r\n\033[A\033[5Bz");
	plain_resize(p, 100000, 100000);
	feed(2, "\033[300;1000Hlast\r\n\r\n");
	plain_resize(p, 0, -1);
	plain_resize(p, 80, 24);
	feed(3, "\033[24;80Hab\033[r\n\n");
	plain_finish(p, 4);
	assert_non_null(strstr(told(), "last"));
}

#define T(f) cmocka_unit_test_setup_teardown(f, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    T(test_plain__lines_come_at_once),
	    T(test_plain__a_spinner_is_one_line),
	    T(test_plain__colours_and_strings_are_left_out),
	    T(test_plain__nothing_unsafe_comes_out),
	    T(test_plain__long_lines_are_one),
	    T(test_plain__wide_characters_keep_their_place),
	    T(test_plain__a_repainted_block_is_told_once),
	    T(test_plain__a_screen_program_has_what_stands),
	    T(test_plain__a_question_is_seen_without_its_end),
	    T(test_plain__survives_every_size_and_place),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
