/* test_logs_lines.c - a terminal's output as lines. */
#include "base/buf.h"
#include "commands/logs_lines.h"
#include "support_unit.h"

static struct buf out;
static struct lines *l;

static void add(void *ctx, const char *text, size_t len)
{
	buf_add(&out, text, len);
	buf_addc(&out, '\n');
}

static int create_lines(void **state)
{
	buf_clear(&out);
	buf_adds(&out, "");
	l = lines_create(false, add, NULL);
	lines_resize(l, 20, 5);
	return 0;
}

static int begin_follow(void **state)
{
	create_lines(state);
	lines_destroy(l);
	l = lines_create(true, add, NULL);
	lines_resize(l, 20, 5);
	return 0;
}

static int destroy_lines(void **state)
{
	lines_destroy(l);
	buf_finish(&out);
	return 0;
}

static void feed(int64_t t, const char *text)
{
	lines_feed(l, t, text, strlen(text));
}

static const char *printed(void)
{
	return out.data ? out.data : "";
}

static const char *all(void)
{
	lines_finish(l);
	return printed();
}

FIXTURE(create_lines, destroy_lines)

TEST(lines__come_when_they_leave_the_screen)
{
	feed(0, "one\r\ntwo\r\n\r\nfour\r\nfive");
	assert_string_equal(printed(), "");
	feed(1, "\r\nsix");
	assert_string_equal(printed(), "one\n");
	for (int i = 0; i < 3; i++)
		feed(2, "\r\nsame");
	feed(3, "\r\n\r\n");
	assert_string_equal(all(),
			    "one\ntwo\n\nfour\nfive\nsix\nsame\nsame\nsame\n");
}

TEST(lines__what_is_overwritten_is_none)
{
	for (int i = 0; i < 1000; i++)
		feed(i * 100, i % 2 ? "\r| working" : "\r/ working");
	feed(100000, "\r\033[Kdone\r\n");
	feed(100001, "ab\b\bxy\r\n12345\rab\r\n");
	assert_string_equal(all(), "done\nxy\nab345\n");
}

TEST(lines__have_nothing_that_a_terminal_obeys)
{
	feed(0, "\033[1;31mred\033[0m\033]0;ti");
	feed(1, "tle\007 a\xe2\x80\xae.\x7f\x01\xff.\033[");
	feed(2, "31mc\r\n");
	assert_string_equal(all(), "red a.\xef\xbf\xbd.c\n");
}

TEST(lines__a_long_one_is_one)
{
	for (int i = 0; i < 15; i++)
		feed(0, "123456789 ");
	feed(0, "\r\nnext\r\n1234567890123456789日\r\n");
	assert_int_equal(strcspn(all(), "\n"), 149);
	assert_string_equal(printed() + 149, "\nnext\n1234567890123456789日\n");
}

TEST(lines__what_is_cleared_was_printed)
{
	feed(0, "one\r\ntwo\033[H\033[2J\033[3Jtwo\r\nthree");
	assert_string_equal(all(), "one\ntwo\nthree\n");
}

TEST(lines__of_the_alternate_screen_are_what_stands)
{
	feed(0, "main\033[?1049h\033[H\033[2Jtitle\033[3;1Hloading 1");
	assert_string_equal(printed(), "main\n");
	feed(200, "\033[3;1Hloading 2");
	feed(600, "\033[3;1Hloaded   ");
	feed(800, "\033[4;1H1");
	assert_string_equal(printed(), "main\ntitle\n");
	assert_int_equal(lines_tick(l, 1300), 200);
	assert_string_equal(printed(), "main\ntitle\nloaded\n");
	feed(1400, "\033[4;1H\033[Ktitle\033[?1049l\r\nshell");
	assert_string_equal(all(), "main\ntitle\nloaded\nshell\n");
}

TEST(lines__a_resize_loses_and_repeats_nothing)
{
	feed(0, "the first is 20 wide!");
	feed(0, "\r\nthe second as well!\r\nsame\r\nsame\r\n> to be");
	lines_resize(l, 9, 3);
	feed(1, " continued");
	lines_resize(l, 30, 5);
	feed(2, "\r\nsame\r\n");
	lines_resize(l, 20, 5);
	/* What is below the cursor goes first in a lower screen. */
	feed(3, "composer\r\nfooter\033[A\r");
	lines_resize(l, 20, 1);
	assert_string_equal(all(),
			    "the first is 20 wide!\nthe second as well!\n"
			    "same\nsame\n> to be continued\nsame\n"
			    "composer\nfooter\n");
}

TEST(lines__survive_every_size_and_place)
{
	feed(0, "\033[999;999Hx\033[-5A\033[0;0H\033[99999999999L\033[5M\033[9P"
		"\033[9@\033[3;2r\033[2;4r\033[9S\033[9T\033M\033[1J\033[0J"
		"\033[;;;;;;;;;;;;;;;;;;;;;;;;;H\t\t\t\t\tend");
	lines_resize(l, 1, 1);
	feed(1, "wide 日本\r\n\033[A\033[5Bz\033[?1049h");
	lines_resize(l, 100000, 100000);
	feed(2, "\033[300;1000Hlast\r\n\r\n");
	lines_tick(l, 1000);
	lines_resize(l, 0, -1);
	lines_resize(l, 80, 24);
	feed(3, "\033[24;80Hab\033[r\n\n\033c");
	assert_non_null(strstr(all(), "last"));
}

FIXTURE(begin_follow, destroy_lines)

TEST(lines__come_at_once_to_who_follows)
{
	feed(0, "one\r\ntwo\r\n\r\nfour");
	lines_tick(l, 0);
	assert_string_equal(printed(), "one\ntwo\n\n");
	feed(1, "teen\r\n");
	lines_tick(l, 1);
	assert_string_equal(printed(), "one\ntwo\n\nfourteen\n");
	for (int i = 0; i < 20; i++)
		feed(2, "same\r\n");
	buf_clear(&out);
	feed(3, "same\r\n");
	lines_tick(l, 3);
	assert_string_equal(printed(), "same\nsame\nsame\nsame\nsame\n");
	assert_string_equal(all(), "same\nsame\nsame\nsame\nsame\n");
}

TEST(lines__a_question_is_told_without_its_end)
{
	feed(0, "Go on? ");
	assert_int_equal(lines_tick(l, 10), LINES_STAND_MS - 10);
	lines_tick(l, 800);
	assert_string_equal(printed(), "Go on?\n");
	assert_int_equal(lines_tick(l, 900), -1);
	feed(1000, "yes\r\nyes\r\nyes\r\n");
	lines_tick(l, 1000);
	assert_string_equal(all(), "Go on?\nGo on? yes\nyes\nyes\n");
}

/* As Ink does it: the block is written again, one line up for each. */
TEST(lines__a_repainted_block_is_told_once)
{
	for (int i = 0; i < 50; i++) {
		if (i)
			feed(i * 100,
			     "\033[2K\033[1A\033[2K\033[1A\033[2K\033[G");
		feed(i * 100,
		     i % 2 ? "| thinking\r\n> \r\n" : "/ thinking\r\n> \r\n");
		lines_tick(l, i * 100);
	}
	assert_string_equal(printed(), "/ thinking\n>\n");
	feed(5000, "\033[2K\033[1A\033[2K\033[1A\033[2K\033[Ganswer\r\n> \r\n");
	lines_tick(l, 6000);
	assert_string_equal(printed(), "/ thinking\n>\nanswer\n");
	assert_string_equal(all(), "/ thinking\n>\nanswer\n");
}
