/*
 * test_screen.c - what a screen shows and keeps: modes, cells, history, size.
 */
#include "screen/screen.h"
#include "support_screen.h"
#include "support_unit.h"

TEST(screen__tracks_modes)
{
	struct tape t;

	tape_init(&t);
	assert_true(tape_feed(&t, "")->cursor_visible);
	assert_true(tape_feed(&t, "")->autowrap);
	assert_true(tape_feed(&t, "\033[?2004;1004h")->bracketed_paste);
	assert_true(tape_feed(&t, "")->focus);
	assert_false(tape_feed(&t, "\033[?2004l")->bracketed_paste);
	assert_true(tape_feed(&t, "\033[?2026h")->sync);
	assert_true(tape_feed(&t, "\033[?2031h")->color_scheme);
	assert_true(tape_feed(&t, "\033[?1049h")->altscreen);
	assert_false(tape_feed(&t, "\033[?1049l")->altscreen);
	assert_int_equal(tape_feed(&t, "\033[?1003h")->mouse,
			 SCREEN_MOUSE_MOVE);
	assert_true(tape_feed(&t, "\033[?1006h")->mouse_sgr);
	assert_int_equal(tape_feed(&t, "\033[?1003l")->mouse, SCREEN_MOUSE_OFF);
	assert_true(tape_feed(&t, "\033[?1h\033=")->app_cursor);
	assert_true(tape_feed(&t, "")->app_keypad);
	assert_false(tape_feed(&t, "\033[?25l\033[?7l")->cursor_visible);
	assert_false(tape_feed(&t, "")->autowrap);
	assert_int_equal(tape_feed(&t, "\033[4 q")->cursor_shape, 4);
	assert_int_equal(tape_feed(&t, "\033[>4;2m")->modify_other_keys, 2);
	assert_false(tape_feed(&t, "\033[!p")->app_cursor);
	assert_true(tape_feed(&t, "")->cursor_visible);
	assert_true(tape_feed(&t, "")->focus);
	assert_false(tape_feed(&t, "\033c")->focus);
	assert_int_equal(tape_feed(&t, "")->modify_other_keys, 0);
	tape_finish(&t);
}

TEST(screen__keeps_a_kitty_stack_for_each_screen)
{
	struct tape t;

	tape_init(&t);
	assert_int_equal(tape_feed(&t, "\033[>1u")->kitty_flags, 1);
	assert_int_equal(tape_feed(&t, "\033[>5u")->kitty_flags, 5);
	assert_int_equal(tape_feed(&t, "\033[=8;2u")->kitty_flags, 13);
	assert_int_equal(tape_feed(&t, "\033[=4;3u")->kitty_flags, 9);
	assert_int_equal(tape_feed(&t, "\033[?1049h")->kitty_flags, 0);
	assert_int_equal(tape_feed(&t, "\033[>7u")->kitty_flags, 7);
	assert_int_equal(tape_feed(&t, "\033[?1049l")->kitty_flags, 9);
	assert_int_equal(tape_feed(&t, "\033[<u")->kitty_flags, 1);
	assert_int_equal(tape_feed(&t, "\033[<9u")->kitty_flags, 0);
	for (int i = 0; i < 100; i++)
		tape_feed(&t, "\033[>3u");
	assert_int_equal(tape_feed(&t, "\033[<99u")->kitty_flags, 0);
	tape_finish(&t);
}

TEST(screen__shows_wide_and_combining)
{
	struct tape t;
	struct screen_cell c;
	const char in[] = "\xe4\xb8\x96\xe7\x95\x8c e\xcc\x81\xf0\x9f\x98\x80";

	tape_init(&t);
	tape_feed(&t, in);
	screen_expect_row(t.s, 0, in);
	screen_cell(t.s, 0, 0, &c);
	assert_int_equal(c.width, 2);
	screen_cell(t.s, 1, 0, &c);
	assert_int_equal(c.width, 0);
	screen_cell(t.s, 5, 0, &c);
	assert_int_equal(c.chars[0], 'e');
	assert_int_equal(c.chars[1], 0x301);
	/* At the edge a wide one goes to the next row. */
	tape_feed(&t, "\r\n1234567890123456789\xe4\xb8\x96");
	screen_expect_row(t.s, 1, "1234567890123456789");
	screen_expect_row(t.s, 2, "\xe4\xb8\x96");
	tape_finish(&t);
	tape_splits_alike(in, strlen(in));
}

TEST(screen__lets_no_control_byte_into_a_cell)
{
	struct tape t;
	struct buf b = {0};

	tape_init(&t);
	for (int c = 0; c < 0xa0; c++) {
		char u[8] = {0};

		if (c == 0x1b)
			continue;
		if (c < 0x80)
			u[0] = (char)c;
		else
			u[0] = '\xc2', u[1] = (char)c;
		screen_feed(t.s, u, c < 0x80 ? 1 : 2);
	}
	tape_feed(&t, "a\xe2\x80\xae"
		      "b\xe2\x81\xa6"
		      "c");
	for (int y = -screen_history(t.s); y < TAPE_ROWS; y++)
		screen_row_text(t.s, y, false, &b);
	for (size_t i = 0; i < b.len; i++) {
		assert_true((unsigned char)b.data[i] >= 0x20);
		assert_true(b.data[i] != 0x7f);
	}
	assert_null(strstr(b.data, "\xc2\x9b"));
	assert_null(strstr(b.data, "\xe2\x80\xae"));
	buf_finish(&b);
	tape_finish(&t);
}

TEST(screen__keeps_bounded_history)
{
	struct tape t;
	char line[64];

	tape_init(&t);
	for (int i = 0; i < 100; i++) {
		snprintf(line, sizeof(line),
			 "\033[3%dm\xe4\xb8\x96 e\xcc\x81 %d\033[m\r\n", i % 8,
			 i);
		tape_feed(&t, line);
	}
	assert_int_equal(screen_history(t.s), 50);
	screen_expect_row(t.s, -1, "\xe4\xb8\x96 e\xcc\x81 95");
	screen_expect_row(t.s, -50, "\xe4\xb8\x96 e\xcc\x81 46");
	screen_expect_row(t.s, -51, "");
	struct screen_cell c;

	screen_cell(t.s, 3, -1, &c);
	assert_int_equal(c.chars[1], 0x301);
	assert_int_equal(c.fg, SCREEN_COLOR_INDEX | 7);
	screen_cell(t.s, 1, -1, &c);
	assert_int_equal(c.width, 0);
	/* The alternate screen has none. */
	tape_feed(&t, "\033[?1049h\n\n\n\n\n\n\n\n\033[?1049l");
	screen_expect_row(t.s, -1, "\xe4\xb8\x96 e\xcc\x81 95");
	tape_feed(&t, "\033[3J");
	assert_int_equal(screen_history(t.s), 0);
	tape_finish(&t);
}

TEST(screen__resizes_within_limits)
{
	struct tape t;

	tape_init(&t);
	screen_resize(t.s, 0, -5);
	assert_int_equal(screen_cols(t.s), SCREEN_MIN_COLS);
	assert_int_equal(screen_rows(t.s), SCREEN_MIN_ROWS);
	screen_resize(t.s, 1 << 20, 1 << 20);
	assert_int_equal(screen_cols(t.s), SCREEN_MAX_COLS);
	tape_feed(&t, "\033[?1049hx");
	screen_resize(t.s, 7, 3);
	tape_feed(&t, "\033[?1049ly");
	tape_finish(&t);
}

TEST(screen__tells_the_last_line)
{
	struct tape t;
	struct buf b = {0};

	tape_init(&t);
	buf_adds(&b, "");
	screen_last_line(t.s, 10, &b);
	assert_string_equal(b.data, "");
	tape_feed(&t, "first\r\n   \xe4\xb8\x96\xe7\x95\x8c last\r\n\r\n  ");
	screen_last_line(t.s, 80, &b);
	assert_string_equal(b.data, "\xe4\xb8\x96\xe7\x95\x8c last");
	buf_clear(&b);
	screen_last_line(t.s, 3, &b);
	assert_string_equal(b.data, "\xe4\xb8\x96");
	buf_finish(&b);
	tape_finish(&t);
}

TEST(screen__a_row_that_changes_has_another_hash)
{
	static const char *const changes[] = {"\033[1;1Hone",
					      "\033[1;20Hx",
					      "\033[1;1H\033[2mo\033[m",
					      "\033[1;2He\xcc\x81",
					      "\033[1;3H\xcc\x80",
					      "\033[1;5H\033[41m \033[m",
					      "\033[1;1H\033[2K"};
	uint64_t before, other;
	struct tape t;

	tape_init(&t);
	other = screen_row_hash(t.s, 1);
	for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
		before = screen_row_hash(t.s, 0);
		tape_feed(&t, changes[i]);
		assert_true(screen_row_hash(t.s, 0) != before);
		assert_true(screen_row_hash(t.s, 1) == other);
	}
	tape_finish(&t);
}

TEST(screen__counts_revisions)
{
	struct tape t;
	uint64_t before;

	tape_init(&t);
	before = screen_revision(t.s);
	tape_feed(&t, "");
	assert_true(screen_revision(t.s) == before);
	tape_feed(&t, "x");
	assert_true(screen_revision(t.s) > before);
	before = screen_revision(t.s);
	screen_resize(t.s, 30, 6);
	assert_true(screen_revision(t.s) > before);
	tape_finish(&t);
}
