/*
 * redraw.c - the model to a terminal, and a terminal back to itself.
 *
 * A redraw trusts nothing about the terminal: it sets every mode one way or
 * the other. Each row is placed by its number, with autowrap off, so that a
 * terminal which gives a character another width than we do is wrong within
 * one row only. It is one synchronized update (2026), so that it appears
 * at once.
 */
#include "screen/redraw.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "screen/model.h"

static const struct pen plain;

static void mode(struct buf *out, int number, bool on)
{
	buf_addf(out, "\033[?%d%c", number, on ? 'h' : 'l');
}

/* Mouse, paste, focus and keys, all off. */
static void input_off(struct buf *out)
{
	buf_adds(out, "\033[?9l\033[?1000l\033[?1002l\033[?1003l"
		      "\033[?1005l\033[?1006l\033[?1015l\033[?1016l"
		      "\033[?1004l\033[?2004l\033[?2031l\033[?2048l"
		      "\033[?1l\033>\033[>4;0m");
}

/* Insert, charset, pen and link: the cursor stays. */
static void text_plain(struct buf *out)
{
	buf_adds(out, "\033[4l\033[20l\033(B\017\033[0m\033]8;;\033\\");
}

/* What would bend the drawing: these, region, origin and margins. */
static void drawing_plain(struct buf *out)
{
	buf_adds(out, "\033[?69l\033[?6l\033[r");
	text_plain(out);
}

static void kitty_entries(const struct kitty_stack *k, struct buf *out)
{
	/* The flags below the first push are the terminal's own. */
	if (k->n == 0 && k->now == 0)
		return;
	for (int i = 1; i < k->n; i++)
		buf_addf(out, "\033[>%du", k->flags[i]);
	buf_addf(out, "\033[>%du", k->now);
}

#define KITTY_POP "\033[<32u"

static void input_modes(const struct screen *s, struct buf *out)
{
	const struct screen_modes *m = &s->modes;

	if (m->mouse)
		mode(out, (int)m->mouse, true);
	if (s->mouse_encoding)
		mode(out, s->mouse_encoding, true);
	mode(out, 1004, true);
	if (m->bracketed_paste)
		mode(out, 2004, true);
	if (m->color_scheme)
		mode(out, 2031, true);
	if (m->app_cursor)
		mode(out, 1, true);
	if (m->app_keypad)
		buf_adds(out, "\033=");
	if (m->modify_other_keys)
		buf_addf(out, "\033[>4;%dm", m->modify_other_keys);
}

/* Rows top.. of the model, from column left, to a terminal of cols x rows. */
static void draw_rows(const struct screen *s, bool main, int left, int top,
		      int cols, int rows, struct buf *out)
{
	buf_adds(out, "\033[0m");
	for (int y = 0; y < rows; y++) {
		struct pen pen = {0};
		int n, from = left, to;
		struct screen_cell *cells = text_row(s, main, top + y, &n);
		bool split = from < n && cells[from].width == 0;

		to = from + cols < n ? from + cols : n;
		/* A wide character that is cut in half is left out. */
		if (to < n && to > from && cells[to].width == 0)
			to--;
		n = from < to ? from + text_trim(cells + from, to - from, true)
			      : from;
		buf_addf(out, "\033[%dH", y + 1);
		if (split)
			buf_addc(out, ' ');
		text_cells(s->model, cells + from, n - from, &pen, out);
		sgr_change(s->model, &pen, &plain, out);
		/* After a full row EL would erase its last character. */
		if (n - from < cols)
			buf_adds(out, "\033[K");
		free(cells);
	}
}

/*
 * The main screen with what is on it, for the day when the harness leaves
 * the alternate one: 1049 restores the cursor that is set here.
 */
static void draw_main_below(const struct screen *s, struct buf *out)
{
	const struct saved *cursor = &s->model->saved[0];

	buf_adds(out, "\033[H");
	draw_rows(s, true, 0, 0, s->cols, s->rows, out);
	buf_addf(out, "\033[%d;%dH", cursor->y + 1, cursor->x + 1);
}

/* clipped: on the alternate screen in any case, without what is below. */
static void enter_modes(const struct screen *s, bool clipped, struct buf *out)
{
	bool alt = s->modes.altscreen;

	input_off(out);
	drawing_plain(out);
	buf_adds(out, "\033[?1049l" KITTY_POP);
	if (!clipped)
		kitty_entries(&s->kitty[0], out);
	if (!clipped && alt)
		draw_main_below(s, out);
	if (clipped || alt) {
		buf_adds(out, "\033[?1049h" KITTY_POP);
		kitty_entries(&s->kitty[alt], out);
	}
	input_modes(s, out);
	buf_addf(out, "\033[%d q", s->modes.cursor_shape);
	buf_addf(out, "\033]2;%s\033\\", s->title);
}

static void draw_history(const struct screen *s, int history, struct buf *out)
{
	struct pen pen = {0};

	if (history > s->history.n)
		history = s->history.n;
	buf_adds(out, "\033[H\033[2J");
	for (int row = -history; row < 0; row++) {
		int n;
		struct screen_cell *cells = text_row(s, true, row, &n);

		text_cells(s->model, cells, n, &pen, out);
		free(cells);
		/* Or the new line might take the background. */
		sgr_change(s->model, &pen, &plain, out);
		buf_adds(out, "\r\n");
	}
	/* The last of them are still on the screen: push them off it. */
	for (int i = 0; history && i < s->rows - 1; i++)
		buf_adds(out, "\r\n");
	buf_adds(out, "\033[0m");
}

/* Hides it while drawing; the end of a redraw shows it where it belongs. */
static void draw_begin(struct buf *out)
{
	buf_adds(out, "\033[?2026h\033[?25l\033[?7l");
}

static void draw_end(const struct screen *s, bool visible, struct buf *out)
{
	mode(out, 25, visible);
	if (!s->modes.sync)
		mode(out, 2026, false);
}

/*
 * The cursor, and the pen for what comes next. Where the last column was just
 * written, only writing it again makes the next character wrap.
 */
static void draw_cursor(const struct screen *s, struct buf *out)
{
	struct screen_cell cell;
	const struct model *m = s->model;
	struct pen pen = {0};
	bool wraps = m->wrap && s->modes.autowrap;
	int col, row;

	screen_cursor(s, &col, &row);
	grid_convert(m, &m->grid->row[row][col], &cell);
	if (cell.width == 0 && col > 0)
		grid_convert(m, &m->grid->row[row][--col], &cell);
	if (!wraps)
		screen_cursor(s, &col, &row);
	if (s->origin)
		row -= s->top;
	buf_addf(out, "\033[%d;%dH", (row < 0 ? 0 : row) + 1, col + 1);
	mode(out, 7, s->modes.autowrap);
	if (wraps)
		text_cells(m, &cell, 1, &pen, out);
	if (s->insert)
		buf_adds(out, "\033[4h");
	sgr_change(m, &pen, &(struct pen){m->pen.attrs, m->pen.fg, m->pen.bg},
		   out);
	if (m->charset[m->shift] == 0)
		buf_adds(out, "\033(0");
}

void screen_redraw(const struct screen *s, int history, struct buf *out)
{
	draw_begin(out);
	enter_modes(s, false, out);
	if (history > 0 && !s->modes.altscreen)
		draw_history(s, history, out);
	draw_rows(s, false, 0, 0, s->cols, s->rows, out);
	if (s->top > 0 || s->bottom < s->rows - 1)
		buf_addf(out, "\033[%d;%dr", s->top + 1, s->bottom + 1);
	if (s->origin)
		mode(out, 6, true);
	draw_cursor(s, out);
	draw_end(s, s->modes.cursor_visible, out);
}

void screen_redraw_clipped(const struct screen *s, int cols, int rows,
			   bool reset, const char *first_line, struct buf *out)
{
	int col, row, left = 0, top = 0;

	if (cols < 1 || rows < 1)
		return;
	screen_cursor(s, &col, &row);
	if (row >= rows)
		top = row - rows + 1;
	if (col >= cols)
		left = col - cols + 1;
	draw_begin(out);
	if (reset)
		enter_modes(s, true, out);
	draw_rows(s, false, left, top, cols, rows, out);
	if (*first_line)
		buf_addf(out, "\033[H\033[2K\033[7m%.*s\033[0m",
			 (int)utf8_fit(first_line, strlen(first_line), cols),
			 first_line);
	buf_addf(out, "\033[%d;%dH", row - top + 1, col - left + 1);
	draw_end(s, s->modes.cursor_visible, out);
}

void screen_enter(struct buf *out)
{
	buf_adds(out, "\033[22;0t\033[?1007s");
}

void screen_leave(struct buf *out)
{
	/* End a string that was interrupted. */
	buf_adds(out, "\030\033\\\033[?2026l");
	input_off(out);
	drawing_plain(out);
	buf_adds(out, KITTY_POP "\033[?1049l\033[?47l" KITTY_POP);
	/* The main screen again, whose region and colours may be others. */
	buf_adds(out, "\033[?6l\033[r\033[0m\033[?5l\033[?7h\033[?25h"
		      "\033[0 q\033]2;\033\\\033[23;0t\033[?1007r"
		      "\033[999;1H\r\n");
}

/* Only what was pushed: there may be entries of the user's below. */
static void kitty_drop(const struct kitty_stack *k, struct buf *out)
{
	if (k->n)
		buf_addf(out, "\033[<%du", k->n);
	else if (k->now)
		buf_adds(out, "\033[=0u");
}

void screen_end(const struct screen *s, struct buf *out)
{
	input_off(out);
	text_plain(out);
	if (s->modes.altscreen) {
		kitty_drop(&s->kitty[1], out);
		buf_adds(out, "\033[?1049l");
	}
	kitty_drop(&s->kitty[0], out);
	if (s->origin)
		mode(out, 6, false);
	if (s->top > 0 || s->bottom < s->rows - 1)
		buf_adds(out, "\0337\033[r\0338");
	buf_adds(out, "\033[?5l\033[?7h\033[?25h\033[?2026l\033[0 q");
}
