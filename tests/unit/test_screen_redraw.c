/* test_screen_redraw.c - a redraw brings a fresh terminal (a second screen) to
 * the same picture; leaving restores it. */
#include "screen/redraw.h"
#include "support_screen.h"
#include "support_unit.h"

#define COLS 24
#define ROWS 6

#define WIDE "\xe4\xb8\x96"

static void feed(struct screen *s, const char *in)
{
	screen_feed(s, in, strlen(in));
}

static struct screen *screen_of(const char *in)
{
	struct screen *s = screen_create(COLS, ROWS, 50, NULL);

	feed(s, in);
	return s;
}

static void same(const struct screen *a, const struct screen *b, int history)
{
	struct buf ta = {0}, tb = {0};

	screen_picture(a, history, &ta);
	screen_picture(b, history, &tb);
	assert_string_equal(ta.data, tb.data);
	assert_true(screen_modes(b)->focus || !screen_modes(a)->focus);
	buf_finish(&ta);
	buf_finish(&tb);
}

/* Later output of the harness must have the same effect on both. */
static void both(struct screen *a, struct screen *b, const char *in)
{
	feed(a, in);
	feed(b, in);
}

#define LINK(params, uri) "\033]8;" params ";" uri "\033\\"

static const char *const contents[] = {
    "",
    "hello\r\nworld",
    "\033[1;2;3;4;5;7;8;9mall\033[0m \033[31;42mone\033[91;105mtwo"
    "\033[38;5;200;48;5;17mthree\033[0;38;2;1;2;3;48;2;4;5;6mfour",
    WIDE WIDE " e\xcc\x81 \xf0\x9f\x98\x80 x",
    "1234567890123456789012" WIDE "\r\n12345678901234567890123" WIDE "z",
    "123456789012345678901234 full\033[3;24Hx",
    "\033[41m\033[2J\033[2;3Hbg",
    "\033[44m  blanks  \033[0m\r\n\033[4m   \033[0m",
    "\033[3;5H",
    "\033]2;a title\a\033[?2004;1004;2031h\033[?1002;1006h\033[?1h\033=",
    "\033[?1003;1016h\033[>4;2m\033[4 q\033[?25l",
    "\033[>1u\033[>5u\033[=8;2u",
    "\033[>3u\033[?1049h\033[>7ualt",
    "main\r\nscreen\033[?1049halt\033[2;2H\033[32mx",
    "\033[2;4r\033[3;3Hregion",
    "\033[2;4r\033[?6h\033[2;3Horigin",
    "\033[4h\033[2;3Hinsert\033[?7l",
    "\033(0lqqk",
    "\033[?2026hhalf",
    "1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8\r\n9",
    "a" LINK("id=1", "http://x/") "link\033[31mred\033[m two\r\nrows",
    "\033[4:3mcurly\033[4:4;31mdots\033[4:5mdash\033[21m2",
    LINK("", "a:b") "\033[4:3mboth" LINK("", "c:d")
	WIDE LINK("", "") "\033[mx"
			  "\033[3;5H" LINK("", "e:f") "\033[4:2m",
    LINK("", "a:b") "main" LINK("", "") "\033[?1049h" LINK("", "c:d") "alt",
};

#define CONTENTS (sizeof(contents) / sizeof(contents[0]))

TEST(screen_redraw__brings_a_fresh_terminal_there)
{
	for (size_t i = 0; i < CONTENTS; i++) {
		struct screen *a = screen_of(contents[i]);
		/* A terminal in the worst state. */
		struct screen *b = screen_of(
		    "junk\r\n\033[?1049h\033[2;3r\033[?6h\033[4h\033[41;1m"
		    "\033[?1003;1006;2004;1004;2031h\033[>7u\033[?7l\033(0"
		    "\033[?1h\033=\033[?25l\033[3 q\033[>4;1mjunk");
		struct buf out = {0};

		screen_redraw(a, 0, &out);
		screen_feed(b, out.data, out.len);
		same(a, b, 0);
		screen_feed(b, out.data, out.len);
		same(a, b, 0);
		both(a, b, "next" WIDE "\r\n\n\033M\033[Ax\033[<u");
		same(a, b, 0);
		both(a, b, "\033[r\033[?1049l\033[<u.");
		same(a, b, 0);
		screen_destroy(a);
		screen_destroy(b);
		buf_finish(&out);
	}
}

TEST(screen_redraw__brings_the_history)
{
	struct buf in = {0}, out = {0};

	for (int i = 0; i < 30; i++)
		buf_addf(
		    &in,
		    "\033[%dm" WIDE " line\033[m" LINK(
			"", "x:%d") " \033[4:%dm%d\033[m" LINK("", "") "\r\n",
		    30 + i % 20, i, i % 6, i);
	for (int history = 0; history < 40; history += 3) {
		struct screen *a = screen_of(in.data), *b = screen_of("");
		int there = screen_history(a);

		assert_int_equal(there, 25);
		buf_clear(&out);
		screen_redraw(a, history, &out);
		screen_feed(b, out.data, out.len);
		if (there > history)
			there = history;
		assert_int_equal(screen_history(b), there);
		same(a, b, there);
		screen_destroy(a);
		screen_destroy(b);
	}
	buf_finish(&in);
	buf_finish(&out);
}

TEST(screen_redraw__puts_no_foreign_bytes_out)
{
	struct screen *s =
	    screen_of("\033]2;t\x01\x1b[31m\xc2\x9b\a\x01\x02\x7f"
		      "\xc2\x9b"
		      "5n\xe2\x80\xae");
	struct buf out = {0};

	screen_redraw(s, 10, &out);
	for (size_t i = 0; i < out.len; i++) {
		char c = out.data[i];

		assert_true(c == '\033' || c == 0x0f || c == '\r' ||
			    c == '\n' || (unsigned char)c >= 0x20);
	}
	assert_null(strstr(out.data, "\xc2\x9b"));
	screen_destroy(s);
	buf_finish(&out);
}

TEST(screen_redraw__clips_around_the_cursor)
{
	struct screen *a = screen_of("one\r\ntwo\r\nthree\r\nfour" WIDE "x");
	struct screen *b = screen_create(6, 2, 10, NULL);
	struct buf out = {0};
	int col, row;

	screen_redraw_clipped(a, 6, 2, true, "", &out);
	screen_feed(b, out.data, out.len);
	screen_expect_row(b, 0, "ree");
	screen_expect_row(b, 1, "ur" WIDE "x");
	screen_cursor(b, &col, &row);
	assert_int_equal(col, 5);
	assert_int_equal(row, 1);
	assert_int_equal(screen_history(b), 0);

	/* A wide character across the edge is left out, on either side. */
	feed(a, "\033[1;1H\033[K12345" WIDE "\033[1;1H");
	buf_clear(&out);
	screen_redraw_clipped(a, 6, 2, false, "", &out);
	screen_feed(b, out.data, out.len);
	screen_expect_row(b, 0, "12345");
	screen_expect_row(b, 1, "two");

	/* A client that is larger sees all of it, and nothing old. */
	screen_resize(b, 40, 10);
	feed(b, "\033[10;1Hold");
	buf_clear(&out);
	screen_redraw_clipped(a, 40, 10, true, "", &out);
	screen_feed(b, out.data, out.len);
	screen_expect_row(b, 0, "12345" WIDE);
	screen_expect_row(b, 3, "four" WIDE "x");
	screen_expect_row(b, 9, "");
	screen_destroy(a);
	screen_destroy(b);
	buf_finish(&out);
}

TEST(screen_redraw__leaves_no_mode_behind)
{
	struct buf leave = {0}, plain = {0}, left = {0};
	struct screen *fresh = screen_of("");

	screen_leave(&leave);
	screen_modes_text(fresh, &plain);
	screen_destroy(fresh);
	for (size_t i = 0; i < CONTENTS; i++) {
		struct screen *a = screen_of(contents[i]);
		struct screen *b = screen_of("shell$ ");
		struct buf out = {0};
		int col, row;

		screen_redraw(a, 0, &out);
		screen_feed(b, out.data, out.len);
		feed(b, contents[i]);
		feed(b, "\033]0;cut off");
		screen_feed(b, leave.data, leave.len);
		buf_clear(&left);
		screen_modes_text(b, &left);
		assert_string_equal(left.data, plain.data);
		screen_cursor(b, &col, &row);
		assert_int_equal(col, 0);
		screen_expect_row(b, row, "");
		assert_string_equal(screen_title(b), "");
		/* The pen, region and charset are plain again. */
		feed(b, "q");
		buf_clear(&left);
		screen_row_text(b, row, true, &left);
		assert_string_equal(left.data, "q");
		screen_destroy(a);
		screen_destroy(b);
		buf_finish(&out);
	}
	buf_finish(&leave);
	buf_finish(&plain);
	buf_finish(&left);
}
