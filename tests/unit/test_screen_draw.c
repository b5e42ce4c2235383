/*
 * test_screen_draw.c - the emulator: what xterm shows for a stream, the
 * screen shows. Rows are joined with '|', blank ones at the end left out.
 */
#include "support_screen.h"
#include "support_unit.h"

#define COLS 10
#define ROWS 4
#define WIDE "\xe4\xb8\x96"

struct draw {
	const char *in, *rows;
	int col, row;
};

static void rows_of(const struct screen *s, struct buf *out)
{
	buf_adds(out, "");
	for (int y = 0; y < screen_rows(s); y++) {
		screen_row_text(s, y, false, out);
		buf_addc(out, '|');
	}
	while (out->len && out->data[out->len - 1] == '|')
		out->data[--out->len] = '\0';
}

static void feed(struct screen *s, const char *in)
{
	screen_feed(s, in, strlen(in));
}

static void expect(const struct screen *s, const char *rows)
{
	struct buf b = {0};

	rows_of(s, &b);
	assert_string_equal(b.data, rows);
	buf_finish(&b);
}

static void draw_all(const struct draw *d, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct screen *s = screen_create(COLS, ROWS, 10, NULL);
		int col, row;

		feed(s, d[i].in);
		expect(s, d[i].rows);
		screen_cursor(s, &col, &row);
		assert_int_equal(col, d[i].col);
		assert_int_equal(row, d[i].row);
		screen_destroy(s);
		tape_splits_alike(d[i].in, strlen(d[i].in));
	}
}

#define DRAW(table) draw_all(table, sizeof(table) / sizeof(table[0]))

TEST(screen_draw__wraps_late)
{
	static const struct draw table[] = {
	    {"1234567890", "1234567890", 9, 0},
	    {"1234567890a", "1234567890|a", 1, 1},
	    {"1234567890\r\nb", "1234567890|b", 1, 1},
	    {"1234567890\ra", "a234567890", 1, 0},
	    {"1234567890\b.", "12345678.0", 9, 0},
	    {"1234567890\033[K", "123456789", 9, 0},
	    {"\033[?7l1234567890abc", "123456789c", 9, 0},
	    {"123456789" WIDE, "123456789|" WIDE, 2, 1},
	    {"12345678" WIDE "a", "12345678" WIDE "|a", 1, 1},
	    {"\033[?7l123456789" WIDE, "123456789", 9, 0},
	    {"1\r\n2\r\n3\r\n4\r\n5", "2|3|4|5", 1, 3},
	};

	DRAW(table);
}

TEST(screen_draw__moves)
{
	static const struct draw table[] = {
	    {"\033[2;3Hx", "|  x", 3, 1},
	    {"\033[99;99Hx", "|||         x", 9, 3},
	    {"\033[3Bx\033[2Ay", "| y||x", 2, 1},
	    {"\033[4Cx\033[3Dy", "  y x", 3, 0},
	    {"\033[3Gx\033[3dy", "  x||   y", 4, 2},
	    {"ab\033[Ex\033[Fy", "yb|x", 1, 0},
	    {"a\tb", "a       b", 9, 0},
	    {"\033[3G\033H\ra\tb\033[Zc", "a c", 3, 0},
	    {"\033[3g\ta", "         a", 9, 0},
	    {"ab\0337cd\0338x", "abxd", 3, 0},
	    {"ab\033[scd\033[ux", "abxd", 3, 0},
	    {"a\033Db\033Ec\033Md", "a| d|c", 2, 1},
	    {"\033[2;3r\033[9Bx", "||x", 1, 2},
	    {"\033[2;3r\033[?6h\033[9;2Hx", "|| x", 2, 2},
	    {"a\nb\vc\fd", "a| b|  c|   d", 4, 3},
	    {"a\033[20h\nb", "a|b", 1, 1},
	};

	DRAW(table);
}

TEST(screen_draw__erases)
{
	static const struct draw table[] = {
	    {"abcdef\033[3G\033[K", "ab", 2, 0},
	    {"abcdef\033[3G\033[1K", "   def", 2, 0},
	    {"abcdef\033[3G\033[2K", "", 2, 0},
	    {"abcdef\033[3G\033[2X", "ab  ef", 2, 0},
	    {"a\r\nbcd\r\ne\033[2;2H\033[J", "a|b", 1, 1},
	    {"a\r\nbcd\r\ne\033[2;2H\033[1J", "|  d|e", 1, 1},
	    {"a\r\nb\033[2J", "", 1, 1},
	    {"a\033#8\033[3J", "EEEEEEEEEE|EEEEEEEEEE|EEEEEEEEEE|EEEEEEEEEE", 0,
	     0},
	    {"ab\033cc", "c", 1, 0},
	};

	DRAW(table);
}

TEST(screen_draw__edits)
{
	static const struct draw table[] = {
	    {"abcdef\033[3G\033[2@", "ab  cdef", 2, 0},
	    {"abcdef\033[3G\033[2P", "abef", 2, 0},
	    {"abcdef\033[3G\033[99P", "ab", 2, 0},
	    {"1234567890\033[1G\033[2@", "  12345678", 0, 0},
	    {"abc\033[1G\033[4hxy", "xyabc", 2, 0},
	    {"abc\033[1G\033[4h" WIDE, WIDE "abc", 2, 0},
	    {"a\r\nb\r\nc\033[1;2H\033[L", "|a|b|c", 0, 0},
	    {"a\r\nb\r\nc\033[1;2H\033[M", "b|c", 0, 0},
	    {"a\r\nb\r\nc\r\nd\033[2;3r\033[2H\033[L", "a||b|d", 0, 1},
	    {"a\r\nb\r\nc\r\nd\033[2;3r\033[2H\033[9M", "a|||d", 0, 1},
	    {"a\r\nb\r\nc\r\nd\033[2;3r\033[4H\033[L", "a|b|c|d", 0, 3},
	    {"a\r\nb\r\nc\r\nd\033[2;3r\033[3H\n", "a|c||d", 0, 2},
	    {"a\r\nb\r\nc\r\nd\033[2;3r\033[2H\033M", "a||b|d", 0, 1},
	    {"a\r\nb\r\nc\r\nd\033[S", "b|c|d", 1, 3},
	    {"a\r\nb\r\nc\r\nd\033[2T", "||a|b", 1, 3},
	    {"x\033[3b", "xxxx", 4, 0},
	    {"x\033[65535b", "xxxxxxxxxx|xxxxxxxxxx|xxxxxxxxxx|xxxxxx", 6, 3},
	};

	DRAW(table);
}

TEST(screen_draw__leaves_no_half_character)
{
	static const struct draw table[] = {
	    {"a" WIDE "b\033[2Gx", "ax b", 2, 0},
	    {"a" WIDE "b\033[3Gx", "a xb", 3, 0},
	    {"a" WIDE WIDE "b\033[3G" WIDE, "a " WIDE " b", 4, 0},
	    {"a" WIDE "b\033[3G\033[K", "a", 2, 0},
	    {"a" WIDE "b\033[2G\033[1K", "   b", 1, 0},
	    {"a" WIDE "b\033[2G\033[X", "a  b", 1, 0},
	    {"a" WIDE "b\033[3G\033[@", "a   b", 2, 0},
	    {"a" WIDE "b\033[3G\033[P", "a b", 2, 0},
	    {"a" WIDE "b\033[2G\033[P", "a b", 1, 0},
	    {"12345678" WIDE "\033[1G\033[@", " 12345678", 0, 0},
	};

	DRAW(table);
}

TEST(screen_draw__knows_line_drawing)
{
	static const struct draw table[] = {
	    {"\033(0lqk_\033(Bq", "\xe2\x94\x8c\xe2\x94\x80\xe2\x94\x90 q", 5,
	     0},
	    {"\033)0\016x\017x", "\xe2\x94\x82x", 2, 0},
	};

	DRAW(table);
}

TEST(screen_draw__ends_a_character_at_a_sequence)
{
	static const struct draw table[] = {
	    {"\xe4\xb8\033[m\x96", "\xef\xbf\xbd\xef\xbf\xbd", 2, 0},
	    {"\xe4\xb8\033]0;\a\x96", "\xef\xbf\xbd\xef\xbf\xbd", 2, 0},
	    {"\xf0\x9f\x98z", "\xef\xbf\xbdz", 2, 0},
	    {"a\xff|\xc3(x", "a\xef\xbf\xbd|\xef\xbf\xbd(x", 6, 0},
	    {"\xe4\xb8|\xed\xa0\x80z",
	     "\xef\xbf\xbd|\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz", 6, 0},
	    {"\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd", 3, 0},
	};

	DRAW(table);
}

TEST(screen_draw__has_two_screens)
{
	static const struct draw table[] = {
	    {"ab\033[?1049hx\033[2;5Hy", "  x|    y", 5, 1},
	    {"ab\033[?1049hxy\033[2;5H\033[?1049lc", "abc", 3, 0},
	    {"ab\033[?47hxy\033[?47lc", "ab  c", 5, 0},
	    {"ab\033[?1049hx\033[?1049l\033[?1049hy", "  y", 3, 0},
	    {"ab\033[?1049hx\033c", "", 0, 0},
	    {"ab\033[?1049lc", "abc", 3, 0},
	};

	DRAW(table);
}

static void expect_cell(const char *in, int attrs, uint32_t fg, uint32_t bg)
{
	struct screen *s = screen_create(COLS, ROWS, 0, NULL);
	struct screen_cell c;

	feed(s, in);
	feed(s, "x");
	screen_cell(s, 0, 0, &c);
	assert_int_equal(c.chars[0], 'x');
	assert_int_equal(c.attrs, attrs);
	assert_int_equal(c.fg, fg);
	assert_int_equal(c.bg, bg);
	screen_destroy(s);
}

TEST(screen_draw__reads_graphics)
{
	const uint32_t rgb = SCREEN_COLOR_RGB | 0x010203;

	expect_cell("\033[1;2;3;4;5;7;8;9m", 255, 0, 0);
	expect_cell("\033[1;2;3;4;5;7;8;9m\033[22;23;24;25;27;28;29m", 0, 0, 0);
	expect_cell("\033[4:3;1m", SCREEN_UNDERLINE | SCREEN_BOLD, 0, 0);
	expect_cell("\033[4m\033[4:0m", 0, 0, 0);
	expect_cell("\033[4:1m", SCREEN_UNDERLINE, 0, 0);
	expect_cell("\033[38;2;1;2;3;1m", SCREEN_BOLD, rgb, 0);
	expect_cell("\033[38:2:1:2:3;1m", SCREEN_BOLD, rgb, 0);
	expect_cell("\033[48:2::1:2:3;1m", SCREEN_BOLD, 0, rgb);
	expect_cell("\033[48;5;9;1m", SCREEN_BOLD, 0, SCREEN_COLOR_INDEX | 9);
	expect_cell("\033[58;2;1;2;3m\033[58:5:7m\033[58;5;4m", 0, 0, 0);
	expect_cell("\033[31;44m\033[39m", 0, 0, SCREEN_COLOR_INDEX | 4);
	expect_cell("\033[31;44m\033[49m", 0, SCREEN_COLOR_INDEX | 1, 0);
	expect_cell("\033[38:5:9;104m", 0, SCREEN_COLOR_INDEX | 9,
		    SCREEN_COLOR_INDEX | 12);
	expect_cell("\033[97;48;5;200m", 0, SCREEN_COLOR_INDEX | 15,
		    SCREEN_COLOR_INDEX | 200);
	expect_cell("\033[31;1m\033[m", 0, 0, 0);
	expect_cell("\033[31;1m\033[!p", 0, 0, 0);
}

static void expect_colours(const struct screen *s, int row, const char *want)
{
	struct buf text = {0};

	screen_row_text(s, row, true, &text);
	assert_string_equal(text.data ? text.data : "", want);
	buf_finish(&text);
}

static void expect_decorated(const char *in, const char *want)
{
	struct screen *s = screen_create(COLS, ROWS, 0, NULL);

	feed(s, in);
	expect_colours(s, 0, want);
	screen_destroy(s);
}

#define LINK(uri) "\033]8;;" uri "\033\\"
#define CLOSE	  LINK("")

TEST(screen_draw__keeps_links_and_underline_styles)
{
	expect_decorated(LINK("a:b") "x" CLOSE "y",
			 "\033[0m" LINK("a:b") "x\033[0m" CLOSE "y");
	expect_decorated("\033]8;id=1:k=v;a:b;c\ax",
			 "\033[0m\033]8;id=1:k=v;a:b;c\033\\x\033[0m" CLOSE);
	/* SGR does not end a link, a reset does. */
	expect_decorated(LINK("a:b") "\033[1mx\033[0my",
			 "\033[0;1m" LINK("a:b") "x\033[0my\033[0m" CLOSE);
	expect_decorated(LINK("a:b") "\033[!px", "x");
	expect_decorated("\033[4:3mx\033[4my\033[4:0mz",
			 "\033[0;4m\033[4:3mx\033[0;4my\033[0mz");
	expect_decorated("\033[21mx\033[24my\033[4:9mz",
			 "\033[0;4m\033[4:2mx\033[0my\033[0;4mz\033[0m");
	/* A malformed link ends one; what may not pass does nothing. */
	expect_decorated(LINK("a:b") "\033]8;x\a"
				     "y",
			 "y");
	expect_decorated("\033]8;;a\x01\ax", "x");
}

/* More links than there is room for: the screen's stay, and the newest ones
 * of the history. */
TEST(screen_draw__bounds_links)
{
	struct screen *s = screen_create(COLS, ROWS, 500, NULL);
	struct buf in = {0}, want = {0};

	for (int length = 2082; length <= 2083; length++) {
		buf_clear(&in);
		buf_adds(&in, LINK("a:b") "\033]8;;");
		for (int i = 0; i < length; i++)
			buf_addc(&in, 'u');
		buf_adds(&in, "\ax");
		feed(s, in.data);
		buf_clear(&want);
		screen_row_text(s, 0, true, &want);
		assert_int_equal(want.len > 2082, length == 2082);
		feed(s, "\033c");
	}
	for (int i = 0; i < 400; i++) {
		buf_clear(&in);
		buf_addf(&in, LINK("a:%d") "%d" CLOSE "\r\n", i, i);
		feed(s, in.data);
	}
	for (int i = 0; i < 400; i++) {
		bool kept = i >= 400 - 199;

		if (!kept && i >= 400 - 254)
			continue;
		buf_clear(&want);
		buf_addf(&want,
			 kept ? "\033[0m" LINK("a:%d") "%d\033[0m" CLOSE
			      : "%.0d%d",
			 kept ? i : 0, i);
		expect_colours(s, i - 400 + ROWS - 1, want.data);
	}
	/* A row that would cost more than a screen gets no more of them. */
	feed(s, "\033[2J\033[H");
	buf_clear(&in);
	for (int x = 0; x < COLS; x++)
		buf_addf(&in, "\033]8;;%d%02000d\033\\x", x, 0);
	feed(s, in.data);
	buf_clear(&want);
	screen_row_text(s, 0, true, &want);
	assert_true(want.len > 8192 && want.len < 8192 + 2200);
	screen_destroy(s);
	buf_finish(&in);
	buf_finish(&want);
}

TEST(screen_draw__erases_in_the_background)
{
	struct screen *s = screen_create(COLS, ROWS, 0, NULL);
	struct screen_cell c;

	feed(s, "\033[41;4m\033[2J\033[4;1H\n");
	for (int y = 0; y < ROWS; y++) {
		screen_cell(s, 9, y, &c);
		assert_int_equal(c.bg, SCREEN_COLOR_INDEX | 1);
		assert_int_equal(c.attrs, 0);
	}
	screen_destroy(s);
}

TEST(screen_draw__resizes_whole_characters)
{
	struct screen *s = screen_create(COLS, ROWS, 10, NULL);

	feed(s, "abc" WIDE "d\r\n\033[41mx");
	screen_resize(s, 4, 3);
	expect(s, WIDE "d|x");
	screen_expect_row(s, -1, "abc");
	screen_resize(s, 8, 3);
	expect(s, "abc" WIDE "d|x");
	/* Rows below the cursor go first, then those at the top. */
	feed(s, "\033[m\033[2J\033[H1\r\n2\r\n3\033[2;1H");
	screen_resize(s, 8, 2);
	expect(s, "1|2");
	assert_int_equal(screen_history(s), 0);
	screen_resize(s, 8, 1);
	expect(s, "2");
	assert_int_equal(screen_history(s), 1);
	screen_destroy(s);
}

/* The places are those of tmux 3.3a. */
TEST(screen_draw__wraps_again_at_another_width)
{
	static const struct {
		const char *text;
		int cols, rows;
		const char *rows_then;
		int history, x, y;
	} cases[] = {
	    {"abcdefgh", 5, 4, "fgh", 1, 3, 0},
	    {"$ ", 4, 3, "$", 0, 2, 0},
	    {"1\r\n2\r\n3\r\n4\r\n5", 10, 5, "1|2|3|4|5", 0, 1, 4},
	    {"1\r\n2\r\n3\r\n4\r\n5\033[2J\033[H", 10, 5, "", 1, 0, 0},
	    {"ab\033[1;8H", 6, 3, "ab", 0, 2, 0},
	    {"\033[44mabcdefgh\033[m\r\n1\r\n2\r\n3", 4, 3, "1|2|3", 2, 1, 2},
	    {"e\u0301\u4e16\U0001f469\u200d\U0001f4bbx", 3, 4,
	     "\U0001f469\u200d\U0001f4bbx", 1, 2, 0},
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct screen *s = screen_create(COLS, ROWS, 10, NULL);
		int x, y;

		feed(s, cases[i].text);
		screen_resize(s, cases[i].cols, cases[i].rows);
		expect(s, cases[i].rows_then);
		assert_int_equal(screen_history(s), cases[i].history);
		screen_cursor(s, &x, &y);
		assert_int_equal(x, cases[i].x);
		assert_int_equal(y, cases[i].y);
		screen_destroy(s);
	}
}

TEST(screen_draw__keeps_combining_characters)
{
	struct screen *s = screen_create(COLS, ROWS, 10, NULL);
	struct screen_cell c;

	feed(s, "\xcc\x81y\r");
	/* More than a cell holds; the rest is dropped. */
	feed(s, "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86\xcc\x87");
	screen_cell(s, 0, 0, &c);
	assert_int_equal(c.chars[0], 'e');
	assert_int_equal(c.chars[5], 0x305);
	/* The table is collected repeatedly, and this entry is kept. */
	for (int i = 0; i < 5000; i++)
		feed(s, "\033[3;1Ha\xcc\x81o\xcc\x88\xe4\xb8\x96\xcc\x81");
	expect(s, "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85||"
		  "a\xcc\x81o\xcc\x88\xe4\xb8\x96\xcc\x81");
	feed(s, "\033[?1049hi\xcc\x81");
	for (int i = 0; i < 500; i++)
		feed(s, "\033[3;1Ha\xcc\x81");
	feed(s, "\033[?1049l");
	expect(s, "e\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85||"
		  "a\xcc\x81o\xcc\x88\xe4\xb8\x96\xcc\x81");
	screen_destroy(s);
}

/* As tmux 3.3: a skin tone is a character of its own. */
TEST(screen_draw__joins_what_a_joiner_joins)
{
	static const struct draw d[] = {
	    {"👩\u200d💻b", "👩\u200d💻b", 3, 0},
	    {"👨\u200d👩\u200d👧\u200d👦!", "👨\u200d👩\u200d👧!", 3, 0},
	    {"👍🏽b", "👍🏽b", 5, 0},
	    {"🇩🇪b", "🇩🇪b", 3, 0},
	    {"a\u200db", "a\u200db", 2, 0},
	    {"\u200d💻", "💻", 2, 0},
	};

	DRAW(d);
}

TEST(screen_draw__bounds_combining_characters)
{
	struct screen *s = screen_create(1000, 100, 0, NULL);
	struct buf b = {0};

	for (int i = 0; i < 99999; i++)
		feed(s, "e\xcc\x81");
	screen_row_text(s, 0, false, &b);
	assert_int_equal(b.data[0], 'e');
	screen_row_text(s, 99, false, &b);
	assert_string_equal(b.data + b.len - 3, "e\xcc\x81");
	buf_finish(&b);
	screen_destroy(s);
}
