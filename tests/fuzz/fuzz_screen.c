/*
 * fuzz_screen.c - anything may come out of a harness. Besides not crashing:
 * the parts in which a stream arrives make no difference, clients get valid
 * UTF-8 without C1 controls, no control byte gets into a cell, and a redraw
 * brings a fresh terminal to the same picture.
 *
 * Input: two bytes of size, then the stream, in which 0xfe and two bytes
 * resize the screen and 0xfd ends a feed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "screen/redraw.h"

#define HISTORY 20

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

struct streams {
	struct buf pass, reply;
};

static void on_pass(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct streams *)ctx)->pass, data, len);
}

static void on_reply(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct streams *)ctx)->reply, data, len);
}

static void die(const char *why, const struct buf *a, const struct buf *b)
{
	fprintf(stderr, "%s:\n%s\n---\n%s\n", why, a ? a->data : "",
		b ? b->data : "");
	abort();
}

static void rows(const struct screen *s, int history, struct buf *out)
{
	for (int y = -history; y < screen_rows(s); y++) {
		screen_row_text(s, y, true, out);
		buf_addc(out, '\n');
	}
}

static void modes(const struct screen *s, struct buf *out)
{
	const struct screen_modes *m = screen_modes(s);
	int col, row;

	screen_cursor(s, &col, &row);
	buf_addf(out, "%d,%d %d%d%d%d%d%d%d%d%d%d %d %d %d %d %s\n", col, row,
		 m->altscreen, m->bracketed_paste, m->focus, m->sync,
		 m->color_scheme, m->app_cursor, m->app_keypad,
		 m->cursor_visible, m->autowrap, m->mouse_sgr, (int)m->mouse,
		 m->cursor_shape, m->kitty_flags, m->modify_other_keys,
		 screen_title(s));
}

static void check_cells(const struct screen *s)
{
	int col, row;

	screen_cursor(s, &col, &row);
	if (col < 0 || row < 0 || col >= screen_cols(s) ||
	    row >= screen_rows(s) || screen_history(s) > HISTORY)
		die("cursor or history out of range", NULL, NULL);
	for (int y = -screen_history(s); y < screen_rows(s); y++) {
		for (int x = 0; x < screen_cols(s); x++) {
			struct screen_cell c, next;

			screen_cell(s, x, y, &c);
			screen_cell(s, x + 1, y, &next);
			for (int k = 0; k < SCREEN_CELL_CHARS && c.chars[k];
			     k++)
				if (c.chars[k] < 32 ||
				    (c.chars[k] >= 127 && c.chars[k] < 160))
					die("control in a cell", NULL, NULL);
			if (c.width > 2 || (c.width == 2) != (next.width == 0))
				die("half a character", NULL, NULL);
		}
	}
}

static void same(const char *why, struct screen *a, struct screen *b,
		 int history)
{
	struct buf pa = {0}, pb = {0};

	rows(a, history, &pa);
	rows(b, history, &pb);
	modes(a, &pa);
	modes(b, &pb);
	if (strcmp(pa.data, pb.data) != 0)
		die(why, &pa, &pb);
	buf_finish(&pa);
	buf_finish(&pb);
}

static void round_trip(struct screen *a)
{
	struct screen *b =
	    screen_create(screen_cols(a), screen_rows(a), HISTORY, NULL);
	struct buf out = {0};
	bool alt = screen_modes(a)->altscreen;

	screen_feed(a, "\033[?1004h", 8); /* clients report it always */
	screen_redraw(a, HISTORY, &out);
	/* Once more: whatever the first one set must not disturb it. */
	screen_feed(b, out.data, out.len);
	screen_feed(b, "\033[3J", 4);
	screen_feed(b, out.data, out.len);
	same("redraw", a, b, alt ? 0 : screen_history(a));
	screen_feed(a, "\033[r\033[?1049l", 11);
	screen_feed(b, "\033[r\033[?1049l", 11);
	same("redraw below", a, b, 0);
	screen_destroy(b);

	b = screen_create(7, 4, HISTORY, NULL);
	buf_clear(&out);
	screen_redraw_clipped(a, 7, 4, true, "", &out);
	screen_redraw_clipped(a, 7, 4, false, "", &out);
	screen_feed(b, out.data, out.len);
	if (screen_history(b))
		die("clipped redraw scrolls", &out, NULL);
	check_cells(b);
	screen_destroy(b);
	buf_finish(&out);
}

static void check_leave(struct screen *a)
{
	struct screen *b = screen_create(9, 9, 0, NULL);
	struct buf out = {0}, pa = {0}, pb = {0};

	screen_leave(&out);
	screen_resize(a, 9, 9);
	screen_feed(a, out.data, out.len);
	screen_feed(b, out.data, out.len);
	modes(a, &pa);
	modes(b, &pb);
	if (strcmp(pa.data, pb.data) != 0)
		die("leave", &pa, &pb);
	screen_destroy(b);
	buf_finish(&out);
	buf_finish(&pa);
	buf_finish(&pb);
}

static void feed(struct screen *a, struct screen *b, const char *p, size_t n)
{
	while (n) {
		size_t k = 0;

		while (k < n && (uint8_t)p[k] < 0xfd)
			k++;
		screen_feed(a, p, k);
		for (size_t i = 0; i < k; i++)
			screen_feed(b, p + i, 1);
		p += k;
		n -= k;
		if (n >= 3 && (uint8_t)*p == 0xfe) {
			int cols = (uint8_t)p[1] % 50;
			int rows_ = (uint8_t)p[2] % 20;

			screen_resize(a, cols, rows_);
			screen_resize(b, cols, rows_);
			p += 2;
			n -= 2;
		}
		p += n > 0;
		n -= n > 0;
	}
}

static void check_bytes(const struct buf *out)
{
	uint32_t cp;

	for (size_t i = 0, n; i < out->len; i += n) {
		n = utf8_decode(out->data + i, out->len - i, &cp);
		if (n == 0 || (cp >= 0x80 && cp < 0xa0))
			die("no UTF-8, or a C1 control", out, NULL);
	}
}

static void same_bytes(const char *why, struct buf *a, struct buf *b)
{
	buf_adds(a, "");
	buf_adds(b, "");
	if (a->len != b->len || memcmp(a->data, b->data, a->len) != 0)
		die(why, a, b);
	buf_finish(a);
	buf_finish(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
	struct streams sa = {0}, sb = {0};
	struct screen_events ev = {.pass = on_pass, .reply = on_reply};

	if (len < 2 || len > 20000)
		return 0;
	int cols = data[0] % 50, rows_ = data[1] % 20;

	ev.ctx = &sa;
	struct screen *a = screen_create(cols, rows_, HISTORY, &ev);

	ev.ctx = &sb;
	struct screen *b = screen_create(cols, rows_, HISTORY, &ev);
	feed(a, b, (const char *)data + 2, len - 2);

	check_bytes(&sa.pass);
	same_bytes("parts: pass", &sa.pass, &sb.pass);
	same_bytes("parts: reply", &sa.reply, &sb.reply);
	same("parts", a, b, screen_history(a));
	check_cells(a);
	/* Ends what is half said: a redraw cannot carry that over. */
	screen_feed(a, "\030", 1);
	round_trip(a);
	check_leave(a);
	buf_finish(&sa.pass);
	buf_finish(&sa.reply);
	screen_destroy(a);
	screen_destroy(b);
	return 0;
}
