/*
 * test_screen.c - what goes in, what comes out: cells, replies, events and
 * the stream for clients. Every case is also fed in two parts, cut at every
 * byte, and one byte at a time: nothing may differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "screen/screen.h"

struct record {
	struct screen *s;
	struct buf reply, pass, notes;
};

static void on_reply(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct record *)ctx)->reply, data, len);
}

static void on_pass(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct record *)ctx)->pass, data, len);
}

static void on_title(void *ctx, const char *title)
{
	buf_addf(&((struct record *)ctx)->notes, "title=%s;", title);
}

static void on_status(void *ctx, const char *payload)
{
	buf_addf(&((struct record *)ctx)->notes, "status=%s;", payload);
}

static void on_bell(void *ctx)
{
	buf_adds(&((struct record *)ctx)->notes, "bell;");
}

static void on_notify(void *ctx, const char *text)
{
	buf_addf(&((struct record *)ctx)->notes, "notify=%s;", text);
}

static void record_init(struct record *r, int cols, int rows)
{
	struct screen_events ev = {
	    .ctx = r,
	    .reply = on_reply,
	    .pass = on_pass,
	    .title = on_title,
	    .program_status = on_status,
	    .bell = on_bell,
	    .notify = on_notify,
	};

	*r = (struct record){0};
	buf_adds(&r->reply, "");
	buf_adds(&r->pass, "");
	buf_adds(&r->notes, "");
	r->s = screen_create(cols, rows, 50, &ev);
}

static void record_finish(struct record *r)
{
	screen_destroy(r->s);
	buf_finish(&r->reply);
	buf_finish(&r->pass);
	buf_finish(&r->notes);
}

/* Everything that can be seen of a screen. */
static void picture(const struct screen *s, struct buf *out)
{
	const struct screen_modes *m = screen_modes(s);
	int col, row;

	for (int y = -screen_history(s); y < screen_rows(s); y++) {
		screen_row_text(s, y, true, out);
		buf_addc(out, '\n');
	}
	screen_cursor(s, &col, &row);
	buf_addf(out, "cursor %d,%d title %s\n", col, row, screen_title(s));
	buf_addf(out, "%d%d%d%d%d%d%d%d%d%d mouse %d shape %d kitty %d %d\n",
		 m->altscreen, m->bracketed_paste, m->focus, m->sync,
		 m->color_scheme, m->app_cursor, m->app_keypad,
		 m->cursor_visible, m->autowrap, m->mouse_sgr, (int)m->mouse,
		 m->cursor_shape, m->kitty_flags, m->modify_other_keys);
}

static void all(const struct record *r, struct buf *out)
{
	picture(r->s, out);
	buf_addf(out, "reply %s\npass %s\nnotes %s\n", r->reply.data,
		 r->pass.data, r->notes.data);
}

#define COLS 20
#define ROWS 5

static void feed_parts(const char *in, size_t len, size_t first, size_t each,
		       struct buf *out)
{
	struct record r;

	record_init(&r, COLS, ROWS);
	for (size_t i = 0; i < len;) {
		size_t n = i == 0 ? first : each;

		n = n > len - i ? len - i : n;
		/* A copy, so that a sanitizer sees a read past the part. */
		char *part = malloc(n ? n : 1);

		memcpy(part, in + i, n);
		screen_feed(r.s, part, n);
		free(part);
		i += n;
		first = first ? first : 1;
	}
	all(&r, out);
	record_finish(&r);
}

static void splits_alike(const char *in, size_t len)
{
	struct buf whole = {0}, parts = {0};

	feed_parts(in, len, len, len, &whole);
	for (size_t cut = 1; cut <= len; cut++) {
		buf_clear(&parts);
		if (cut == len)
			feed_parts(in, len, 1, 1, &parts);
		else
			feed_parts(in, len, cut, len, &parts);
		assert_string_equal(whole.data, parts.data);
	}
	buf_finish(&whole);
	buf_finish(&parts);
}

static void expect_row(struct screen *s, int row, const char *text)
{
	struct buf b = {0};

	buf_adds(&b, "");
	screen_row_text(s, row, false, &b);
	assert_string_equal(b.data, text);
	buf_finish(&b);
}

static void expect_cursor(struct screen *s, int col, int row)
{
	int c, r;

	screen_cursor(s, &c, &r);
	assert_int_equal(c, col);
	assert_int_equal(r, row);
}

/* Feeds in; a query is expected to leave nothing for clients. */
static void expect_reply(const char *in, const char *reply)
{
	struct record r;

	record_init(&r, COLS, ROWS);
	screen_feed(r.s, in, strlen(in));
	assert_string_equal(r.reply.data, reply);
	assert_string_equal(r.pass.data, "");
	record_finish(&r);
	splits_alike(in, strlen(in));
}

static void expect_notes(const char *in, const char *notes, const char *pass)
{
	struct record r;

	record_init(&r, COLS, ROWS);
	screen_feed(r.s, in, strlen(in));
	assert_string_equal(r.notes.data, notes);
	assert_string_equal(r.pass.data, pass);
	record_finish(&r);
	splits_alike(in, strlen(in));
}

static const struct screen_modes *after(struct record *r, const char *in)
{
	screen_feed(r->s, in, strlen(in));
	return screen_modes(r->s);
}

static void test_screen__answers_what_a_terminal_is_asked(void **state)
{
	(void)state;
	expect_reply("\033[c", "\033[?62;22c");
	expect_reply("\033[0c", "\033[?62;22c");
	expect_reply("\033Z", "\033[?62;22c");
	expect_reply("\033[>c", "\033[>1;0;0c");
	expect_reply("\033[>0q", "\033P>|afw " AFW_VERSION "\033\\");
	expect_reply("\033[5n", "\033[0n");
	expect_reply("\033[6n", "\033[1;1R");
	expect_reply("\033[?6n", "\033[?1;1R");
	expect_reply("\033[?996n", "\033[?997;1n");
	expect_reply("\033[?u", "\033[?0u");
	expect_reply("\033[?2026$p", "\033[?2026;2$y");
	expect_reply("\033[?25$p", "\033[?25;1$y");
	expect_reply("\033[?7777$p", "\033[?7777;0$y");
	expect_reply("\033[4$p", "\033[4;2$y");
	expect_reply("\033[18t", "\033[8;5;20t");
	expect_reply("\033[?4m", "\033[>4;0m");
	expect_reply("\033]7501;?\a", "\033]7501;?\033\\");
	expect_reply("\033]7501;?\033\\", "\033]7501;?\033\\");
	expect_reply("\033]10;?\a", "\033]10;rgb:ffff/ffff/ffff\a");
	expect_reply("\033]11;?\033\\", "\033]11;rgb:0000/0000/0000\033\\");
	expect_reply("\033]10;?;?\a", "\033]10;rgb:ffff/ffff/ffff\a"
				      "\033]11;rgb:0000/0000/0000\a");
	expect_reply("\033]4;1;?;196;?\a", "\033]4;1;rgb:cdcd/0000/0000\a"
					   "\033]4;196;rgb:ffff/0000/0000\a");
	expect_reply("\033P+q544e\033\\", "\033P0+r\033\\");
	expect_reply("\033P$q q\033\\", "\033P1$r0 q\033\\");
	expect_reply("\033P$qr\033\\", "\033P1$r1;5r\033\\");
	expect_reply("\033P$qm\033\\", "\033P1$r0m\033\\");
	expect_reply("\033P$q\"p\033\\", "\033P0$r\033\\");
}

static void test_screen__keeps_queries_it_cannot_answer(void **state)
{
	(void)state;
	expect_reply("\033]52;c;?\a", "");
	expect_reply("\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\", "");
	expect_reply("\033[14t", "");
	expect_reply("\033[21t", "");
	expect_reply("\033[x", "");
	expect_reply("\033[?1;1;0S", "");
	expect_reply("\005", "");
}

static void test_screen__answers_in_the_order_of_the_stream(void **state)
{
	struct record r;
	const char in[] = "ab\033[6n\r\ncde\033[6n\033[c\033[?1u\033[?u"
			  "\033[2;4r\033[?6h\033[2;3H\033[6nx";

	(void)state;
	record_init(&r, COLS, ROWS);
	screen_feed(r.s, in, strlen(in));
	assert_string_equal(r.reply.data, "\033[1;3R\033[2;4R\033[?62;22c"
					  "\033[?0u\033[?0u\033[2;3R");
	assert_string_equal(r.pass.data, "ab\r\ncde\033[2;4r\033[?6h"
					 "\033[2;3Hx");
	expect_row(r.s, 2, "  x");
	record_finish(&r);
	splits_alike(in, strlen(in));
}

static void test_screen__passes_all_else_byte_for_byte(void **state)
{
	static const char *const cases[] = {
	    "plain\ttext\r\n",
	    "\033[1;31mred\033[0m",
	    "\033]8;;http://x/\033\\link\033]8;;\a",
	    "\033]52;c;aGVsbG8=\a",
	    "\033]10;#ffffff\a\033]4;1;rgb:1/2/3\033\\",
	    "\033_Ga=T,f=100;AAAA\033\\",
	    "\033Pq#0;2;0;0;0~-\033\\",
	    "\033[>1u\033[<u\033[=5;1u\033[>4;2m",
	    "\033[?2004h\033[?1049h\033[?1006;1003h\033[?1049l",
	    "\033(0lqk\033(B\033=\033>\0337\0338\033M",
	    "\033[22;0t\033[23t",
	    "\xe4\xb8\x96\xc3\xa9\xf0\x9f\x98\x80",
	    "\x9b\x31m\xff\xc3\x28",
	    "\033[3\x18m\033]0;x\x1a",
	    "\033X\033\\\033^pm\033\\",
	    "\033[>0;1;2p",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct record r;

		record_init(&r, COLS, ROWS);
		screen_feed(r.s, cases[i], strlen(cases[i]));
		assert_string_equal(r.pass.data, cases[i]);
		assert_string_equal(r.reply.data, "");
		record_finish(&r);
		splits_alike(cases[i], strlen(cases[i]));
	}
}

static void test_screen__drops_what_a_new_sequence_breaks_off(void **state)
{
	struct record r;
	/* Were `ESC[3` passed, the query's removal would complete it. */
	const char in[] = "\033[3\033[cm|\033]2;a\033[cb|";

	(void)state;
	record_init(&r, COLS, ROWS);
	screen_feed(r.s, in, strlen(in));
	assert_string_equal(r.pass.data, "m|b|");
	assert_string_equal(r.reply.data, "\033[?62;22c\033[?62;22c");
	expect_row(r.s, 0, "m|b|");
	record_finish(&r);
	splits_alike(in, strlen(in));
}

static void test_screen__drops_window_manipulation(void **state)
{
	struct record r;

	(void)state;
	record_init(&r, COLS, ROWS);
	after(&r, "a\033[8;10;10t\033[2t\033[3;0;0tb");
	assert_string_equal(r.pass.data, "ab");
	record_finish(&r);
}

static void test_screen__bounds_what_it_holds(void **state)
{
	struct record r;
	struct buf in = {0};

	(void)state;
	buf_adds(&in, "\033]52;c;");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "QUJD");
	buf_adds(&in, "\ax\033]2;");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "long");
	buf_adds(&in, "\033[6ny\033[");
	for (int i = 0; i < 5000; i++)
		buf_adds(&in, "1;");
	buf_adds(&in, "mz");
	for (size_t step = 1; step <= in.len; step = step * 7 + 1) {
		record_init(&r, COLS, ROWS);
		for (size_t i = 0; i < in.len; i += step)
			screen_feed(r.s, in.data + i,
				    in.len - i < step ? in.len - i : step);
		expect_row(r.s, 0, "xyz");
		assert_string_equal(r.reply.data, "\033[1;2R");
		assert_memory_equal(r.pass.data, in.data, 20000);
		/* The broken-off string was begun: it is ended for clients. */
		assert_non_null(strstr(r.pass.data, "\033\\yz"));
		record_finish(&r);
	}
	buf_finish(&in);
}

/* A client that comes in the midst of a long string must not show its rest. */
static void test_screen__redraws_within_a_long_string(void **state)
{
	static const char *const starts[] = {"\033]52;c;", "\033Pq",
					     "\033_Ga;"};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct record r;
		struct buf out = {0};
		struct screen *late = screen_create(COLS, ROWS, 0, NULL);

		record_init(&r, COLS, ROWS);
		after(&r, "text");
		after(&r, starts[i]);
		for (int k = 0; k < 10000; k++)
			after(&r, "A");
		screen_redraw(r.s, 0, &out);
		screen_feed(late, out.data, out.len);
		buf_clear(&r.pass);
		after(&r, i == 0 ? "AAA\a+" : "AAA\033\\+");
		screen_feed(late, r.pass.data, r.pass.len);
		expect_row(late, 0, "text+");
		screen_destroy(late);
		buf_finish(&out);
		record_finish(&r);
	}
}

static void test_screen__reports_titles_and_status(void **state)
{
	struct record r;
	struct buf in = {0};

	(void)state;
	expect_notes("\033]0;one\a\033]2;two\033\\\033]1;icon\a",
		     "title=one;title=two;",
		     "\033]0;one\a\033]2;two\033\\\033]1;icon\a");
	expect_notes("\033]2;a\tb\xffg\a", "title=a b?g;",
		     "\033]2;a\tb\xffg\a");
	expect_notes("\033]7501;state=working:app=x\033\\",
		     "status=state=working:app=x;",
		     "\033]7501;state=working:app=x\033\\");
	expect_notes("\033]9;done now\a", "notify=done now;",
		     "\033]9;done now\a");
	expect_notes("\033]9;4;1;50\a", "", "\033]9;4;1;50\a");
	expect_notes("\033]777;notify;T;body\a", "notify=T: body;",
		     "\033]777;notify;T;body\a");
	expect_notes("a\ab", "bell;", "a\ab");

	/* A title is at most 255 bytes, whole characters. */
	buf_adds(&in, "\033]2;x");
	for (int i = 0; i < 300; i++)
		buf_adds(&in, "\xc3\xa9");
	buf_adds(&in, "\a");
	record_init(&r, COLS, ROWS);
	screen_feed(r.s, in.data, in.len);
	assert_int_equal(strlen(screen_title(r.s)), 255);
	record_finish(&r);

	/* A status of more than 1 KiB is nobody's status. */
	buf_clear(&in);
	buf_adds(&in, "\033]7501;");
	for (int i = 0; i < 1025; i++)
		buf_addc(&in, 'x');
	buf_adds(&in, "\a");
	record_init(&r, COLS, ROWS);
	screen_feed(r.s, in.data, in.len);
	assert_string_equal(r.notes.data, "");
	record_finish(&r);
	buf_finish(&in);
}

static void test_screen__tracks_modes(void **state)
{
	struct record r;

	(void)state;
	record_init(&r, COLS, ROWS);
	assert_true(after(&r, "")->cursor_visible);
	assert_true(after(&r, "")->autowrap);
	assert_true(after(&r, "\033[?2004;1004h")->bracketed_paste);
	assert_true(after(&r, "")->focus);
	assert_false(after(&r, "\033[?2004l")->bracketed_paste);
	assert_true(after(&r, "\033[?2026h")->sync);
	assert_true(after(&r, "\033[?2031h")->color_scheme);
	assert_true(after(&r, "\033[?1049h")->altscreen);
	assert_false(after(&r, "\033[?1049l")->altscreen);
	assert_int_equal(after(&r, "\033[?1003h")->mouse, SCREEN_MOUSE_MOVE);
	assert_true(after(&r, "\033[?1006h")->mouse_sgr);
	assert_int_equal(after(&r, "\033[?1003l")->mouse, SCREEN_MOUSE_OFF);
	assert_true(after(&r, "\033[?1h\033=")->app_cursor);
	assert_true(after(&r, "")->app_keypad);
	assert_false(after(&r, "\033[?25l\033[?7l")->cursor_visible);
	assert_false(after(&r, "")->autowrap);
	assert_int_equal(after(&r, "\033[4 q")->cursor_shape, 4);
	assert_int_equal(after(&r, "\033[>4;2m")->modify_other_keys, 2);
	assert_false(after(&r, "\033[!p")->app_cursor);
	assert_true(after(&r, "")->cursor_visible);
	assert_true(after(&r, "")->focus);
	assert_false(after(&r, "\033c")->focus);
	assert_int_equal(after(&r, "")->modify_other_keys, 0);
	record_finish(&r);
}

static void test_screen__keeps_a_kitty_stack_for_each_screen(void **state)
{
	struct record r;

	(void)state;
	record_init(&r, COLS, ROWS);
	assert_int_equal(after(&r, "\033[>1u")->kitty_flags, 1);
	assert_int_equal(after(&r, "\033[>5u")->kitty_flags, 5);
	assert_int_equal(after(&r, "\033[=8;2u")->kitty_flags, 13);
	assert_int_equal(after(&r, "\033[=4;3u")->kitty_flags, 9);
	assert_int_equal(after(&r, "\033[?1049h")->kitty_flags, 0);
	assert_int_equal(after(&r, "\033[>7u")->kitty_flags, 7);
	assert_int_equal(after(&r, "\033[?1049l")->kitty_flags, 9);
	assert_int_equal(after(&r, "\033[<u")->kitty_flags, 1);
	assert_int_equal(after(&r, "\033[<9u")->kitty_flags, 0);
	for (int i = 0; i < 100; i++)
		after(&r, "\033[>3u");
	assert_int_equal(after(&r, "\033[<99u")->kitty_flags, 0);
	record_finish(&r);
}

static void test_screen__shows_text_and_colours(void **state)
{
	struct record r;
	struct screen_cell c;

	(void)state;
	record_init(&r, COLS, ROWS);
	after(&r, "a\033[1;3;4;7;9;31;48;5;200mb\033[0;38;2;1;2;3mc"
		  "\033[38:5:9md\033[0;97;104me");
	expect_row(r.s, 0, "abcde");
	screen_cell(r.s, 0, 0, &c);
	assert_int_equal(c.chars[0], 'a');
	assert_int_equal(c.fg, SCREEN_COLOR_DEFAULT);
	assert_int_equal(c.attrs, 0);
	screen_cell(r.s, 1, 0, &c);
	assert_int_equal(c.fg, SCREEN_COLOR_INDEX | 1);
	assert_int_equal(c.bg, SCREEN_COLOR_INDEX | 200);
	assert_int_equal(c.attrs, SCREEN_BOLD | SCREEN_ITALIC |
				      SCREEN_UNDERLINE | SCREEN_REVERSE |
				      SCREEN_STRIKE);
	screen_cell(r.s, 2, 0, &c);
	assert_int_equal(c.fg, SCREEN_COLOR_RGB | 0x010203);
	screen_cell(r.s, 3, 0, &c);
	assert_int_equal(c.fg, SCREEN_COLOR_INDEX | 9);
	screen_cell(r.s, 4, 0, &c);
	assert_int_equal(c.fg, SCREEN_COLOR_INDEX | 15);
	assert_int_equal(c.bg, SCREEN_COLOR_INDEX | 12);
	screen_cell(r.s, 19, 4, &c);
	assert_int_equal(c.chars[0], 0);
	screen_cell(r.s, 99, 99, &c);
	assert_int_equal(c.chars[0], 0);
	record_finish(&r);
}

static void test_screen__shows_wide_and_combining(void **state)
{
	struct record r;
	struct screen_cell c;
	const char in[] = "\xe4\xb8\x96\xe7\x95\x8c e\xcc\x81\xf0\x9f\x98\x80";

	(void)state;
	record_init(&r, COLS, ROWS);
	after(&r, in);
	expect_row(r.s, 0, in);
	expect_cursor(r.s, 8, 0);
	screen_cell(r.s, 0, 0, &c);
	assert_int_equal(c.width, 2);
	screen_cell(r.s, 1, 0, &c);
	assert_int_equal(c.width, 0);
	screen_cell(r.s, 5, 0, &c);
	assert_int_equal(c.chars[0], 'e');
	assert_int_equal(c.chars[1], 0x301);
	/* At the edge a wide one goes to the next row. */
	after(&r, "\r\n1234567890123456789\xe4\xb8\x96");
	expect_row(r.s, 1, "1234567890123456789");
	expect_row(r.s, 2, "\xe4\xb8\x96");
	record_finish(&r);
	splits_alike(in, strlen(in));
}

static void test_screen__replaces_what_is_not_utf8(void **state)
{
	struct record r;
	const char in[] = "a\xff|\xc3(|\xe4\xb8|\xed\xa0\x80z";

	(void)state;
	record_init(&r, COLS, ROWS);
	after(&r, in);
	struct buf b = {0};

	screen_row_text(r.s, 0, false, &b);
	assert_memory_equal(b.data, "a\xef\xbf\xbd|\xef\xbf\xbd(|\xef\xbf\xbd",
			    12);
	assert_int_equal(b.data[b.len - 1], 'z');
	buf_finish(&b);
	record_finish(&r);
	splits_alike(in, strlen(in));
}

static void test_screen__lets_no_control_byte_into_a_cell(void **state)
{
	struct record r;
	struct buf b = {0};

	(void)state;
	record_init(&r, COLS, ROWS);
	for (int c = 0; c < 0xa0; c++) {
		char u[8] = {0};

		if (c == 0x1b)
			continue;
		if (c < 0x80)
			u[0] = (char)c;
		else
			u[0] = '\xc2', u[1] = (char)c;
		screen_feed(r.s, u, c < 0x80 ? 1 : 2);
	}
	after(&r, "a\xe2\x80\xae"
		  "b\xe2\x81\xa6"
		  "c");
	for (int y = -screen_history(r.s); y < ROWS; y++)
		screen_row_text(r.s, y, false, &b);
	for (size_t i = 0; i < b.len; i++) {
		assert_true((unsigned char)b.data[i] >= 0x20);
		assert_true(b.data[i] != 0x7f);
	}
	assert_null(strstr(b.data, "\xc2\x9b"));
	assert_null(strstr(b.data, "\xe2\x80\xae"));
	buf_finish(&b);
	record_finish(&r);
}

static void test_screen__keeps_bounded_history(void **state)
{
	struct record r;
	char line[64];

	(void)state;
	record_init(&r, COLS, ROWS);
	for (int i = 0; i < 100; i++) {
		snprintf(line, sizeof(line),
			 "\033[3%dm\xe4\xb8\x96 e\xcc\x81 %d\033[m\r\n", i % 8,
			 i);
		after(&r, line);
	}
	assert_int_equal(screen_history(r.s), 50);
	expect_row(r.s, -1, "\xe4\xb8\x96 e\xcc\x81 95");
	expect_row(r.s, -50, "\xe4\xb8\x96 e\xcc\x81 46");
	expect_row(r.s, -51, "");
	struct screen_cell c;

	screen_cell(r.s, 3, -1, &c);
	assert_int_equal(c.chars[1], 0x301);
	assert_int_equal(c.fg, SCREEN_COLOR_INDEX | 7);
	screen_cell(r.s, 1, -1, &c);
	assert_int_equal(c.width, 0);
	/* The alternate screen has none. */
	after(&r, "\033[?1049h\n\n\n\n\n\n\n\n\033[?1049l");
	expect_row(r.s, -1, "\xe4\xb8\x96 e\xcc\x81 95");
	after(&r, "\033[3J");
	assert_int_equal(screen_history(r.s), 0);
	record_finish(&r);
}

static void test_screen__resizes_within_limits(void **state)
{
	struct record r;

	(void)state;
	record_init(&r, COLS, ROWS);
	after(&r, "one\r\ntwo\r\nthree");
	screen_resize(r.s, 10, 10);
	assert_int_equal(screen_cols(r.s), 10);
	expect_row(r.s, 0, "one");
	expect_row(r.s, 2, "three");
	expect_cursor(r.s, 5, 2);
	screen_resize(r.s, 10, 2);
	expect_row(r.s, 1, "three");
	expect_cursor(r.s, 5, 1);
	assert_int_equal(screen_history(r.s), 1);
	expect_row(r.s, -1, "one");
	screen_resize(r.s, 0, -5);
	assert_int_equal(screen_cols(r.s), SCREEN_MIN_COLS);
	assert_int_equal(screen_rows(r.s), SCREEN_MIN_ROWS);
	screen_resize(r.s, 1 << 20, 1 << 20);
	assert_int_equal(screen_cols(r.s), SCREEN_MAX_COLS);
	after(&r, "\033[?1049hx");
	screen_resize(r.s, 7, 3);
	after(&r, "\033[?1049ly");
	record_finish(&r);
}

static void test_screen__tells_the_last_line(void **state)
{
	struct record r;
	struct buf b = {0};

	(void)state;
	record_init(&r, COLS, ROWS);
	buf_adds(&b, "");
	screen_last_line(r.s, 10, &b);
	assert_string_equal(b.data, "");
	after(&r, "first\r\n   \xe4\xb8\x96\xe7\x95\x8c last\r\n\r\n  ");
	screen_last_line(r.s, 80, &b);
	assert_string_equal(b.data, "\xe4\xb8\x96\xe7\x95\x8c last");
	buf_clear(&b);
	screen_last_line(r.s, 3, &b);
	assert_string_equal(b.data, "\xe4\xb8\x96");
	buf_finish(&b);
	record_finish(&r);
}

static void test_screen__counts_revisions(void **state)
{
	struct record r;
	uint64_t before;

	(void)state;
	record_init(&r, COLS, ROWS);
	before = screen_revision(r.s);
	after(&r, "");
	assert_true(screen_revision(r.s) == before);
	after(&r, "x");
	assert_true(screen_revision(r.s) > before);
	before = screen_revision(r.s);
	screen_resize(r.s, 30, 6);
	assert_true(screen_revision(r.s) > before);
	record_finish(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_screen__answers_what_a_terminal_is_asked),
	    cmocka_unit_test(test_screen__keeps_queries_it_cannot_answer),
	    cmocka_unit_test(test_screen__answers_in_the_order_of_the_stream),
	    cmocka_unit_test(test_screen__passes_all_else_byte_for_byte),
	    cmocka_unit_test(test_screen__drops_what_a_new_sequence_breaks_off),
	    cmocka_unit_test(test_screen__drops_window_manipulation),
	    cmocka_unit_test(test_screen__bounds_what_it_holds),
	    cmocka_unit_test(test_screen__redraws_within_a_long_string),
	    cmocka_unit_test(test_screen__reports_titles_and_status),
	    cmocka_unit_test(test_screen__tracks_modes),
	    cmocka_unit_test(test_screen__keeps_a_kitty_stack_for_each_screen),
	    cmocka_unit_test(test_screen__shows_text_and_colours),
	    cmocka_unit_test(test_screen__shows_wide_and_combining),
	    cmocka_unit_test(test_screen__replaces_what_is_not_utf8),
	    cmocka_unit_test(test_screen__lets_no_control_byte_into_a_cell),
	    cmocka_unit_test(test_screen__keeps_bounded_history),
	    cmocka_unit_test(test_screen__resizes_within_limits),
	    cmocka_unit_test(test_screen__tells_the_last_line),
	    cmocka_unit_test(test_screen__counts_revisions),
	};

	cmocka_set_message_output(CM_OUTPUT_TAP);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
