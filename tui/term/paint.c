/*
 * paint.c - the only file that writes characters to curses.
 *
 * A character with its marks, or an emoji with those joined to it, is in one
 * cell and is never cut. Only characters whose width terminals (and tmux) agree
 * on are shown: no skin tones, no variation selectors. If curses (the C
 * library's wcwidth) and base/utf8.h disagree on a width, the cell gets the
 * larger one.
 */
#include "tui/term/paint.h"

#include <curses.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "tui/term/term.h"

struct style paint_style(enum look look)
{
	return look_style(look, term_colours() ? COLORS : 0);
}

/*
 * Returns the number of a colour on this terminal; sets *bold if 8 are too few.
 * If there are more than 16, RGB is not mapped to the 16 named colours, because
 * every terminal has its own.
 */
static int colour_index(uint32_t colour, bool *bold)
{
	bool palette = !(colour & SCREEN_COLOR_RGB);
	int index = (int)(colour & 255);

	if (colour == SCREEN_COLOR_DEFAULT)
		return -1;
	if (COLORS >= 0x1000000 && !(palette && index < 8))
		return (int)look_rgb(colour);
	if (COLORS >= 256)
		return palette ? index
			       : look_nearest(look_rgb(colour), 16, 256);
	if (!palette || index >= 16)
		index = look_nearest(look_rgb(colour), 0, 16);
	if (COLORS >= 16)
		return index;
	*bold = *bold || index >= 8;
	return COLORS >= 8 ? index & 7 : -1;
}

static int pair_of(struct style st, attr_t *attrs)
{
	bool bold = false, ignored = false;
	int fg, pair;

	if (!term_colours() || (!st.fg && !st.bg))
		return 0;
	fg = colour_index(st.fg, &bold);
	pair = alloc_pair(fg, colour_index(st.bg, &ignored));
	if (bold)
		*attrs |= A_BOLD;
	return pair < 0 ? 0 : pair;
}

static attr_t attrs_of(unsigned a)
{
	static const struct {
		unsigned ours;
		attr_t theirs;
	} all[] = {
	    {SCREEN_BOLD, A_BOLD},     {SCREEN_DIM, A_DIM},
	    {SCREEN_ITALIC, A_ITALIC}, {SCREEN_UNDERLINE, A_UNDERLINE},
	    {SCREEN_BLINK, A_BLINK},   {SCREEN_REVERSE, A_REVERSE},
	    {SCREEN_CONCEAL, A_INVIS},
	};
	attr_t out = A_NORMAL;

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (a & all[i].ours)
			out |= all[i].theirs;
	return out;
}

/* Uses setcchar() only for the style: it leaves out characters joined to
 * another, because those have a width of their own, and it is slow. */
static cchar_t cell_of(const wchar_t *text, struct style st)
{
	static struct style last;
	static cchar_t cell;

	if (!cell.chars[0] || st.fg != last.fg || st.bg != last.bg ||
	    st.attrs != last.attrs) {
		attr_t attrs = attrs_of(st.attrs);
		int pair = pair_of(st, &attrs);

		setcchar(&cell, L" ", attrs, 0, &pair);
		last = st;
	}
	wcsncpy(cell.chars, text, CCHARW_MAX);
	return cell;
}

static void put_cell(int row, int col, const wchar_t *text, struct style st)
{
	cchar_t cell = cell_of(text, st);

	mvadd_wch(row, col, &cell);
}

/* A cell that is being composed: a character and its marks. */
struct cell {
	wchar_t text[CCHARW_MAX + 1];
	int n, width;
	bool joins; /* the next character is joined to it */
	struct style style;
};

static void cell_start(struct cell *c, uint32_t cp, struct style st)
{
	int ours = 1, theirs = 1;

	if (cp >= 0x7f) {
		ours = utf8_cp_width(cp);
		if (!term_utf8())
			cp = '?', ours = ours == 2 ? 2 : 1;
		theirs = wcwidth((wchar_t)cp);
		if (theirs <= 0)
			cp = '?', theirs = 1;
	}
	c->text[0] = (wchar_t)cp;
	c->n = 1;
	c->width = ours > theirs ? ours : theirs;
	c->joins = false;
	c->style = st;
}

/* Writes the cell; a cell wider than its character is filled with blanks. */
static void cell_put(struct cell *c, int row, int col)
{
	int drawn = 1;

	if (!c->n)
		return;
	if (c->width > 1)
		drawn = wcwidth(c->text[0]);
	c->text[c->n] = L'\0';
	for (int i = drawn; i < c->width; i++)
		put_cell(row, col + i, L" ", c->style);
	put_cell(row, col, c->text, c->style);
	c->n = 0;
}

/* Characters that would make the terminal's columns differ from ours. */
static bool is_left_out(uint32_t cp)
{
	return (cp >= 0xfe00 && cp <= 0xfe0f) ||
	       (cp >= 0xe0100 && cp <= 0xe01ef) || cp == 0xad || cp == 0x34f ||
	       cp == 0x180e || cp == 0x115f || cp == 0x1160 || cp == 0x3164 ||
	       cp == 0xffa0;
}

/*
 * Returns true if cp belongs to the cell's character, and adds it: a mark or a
 * joined emoji, as many as curses has room for. Skin tones are not added,
 * because terminals disagree on their width.
 */
static bool cell_add(struct cell *c, uint32_t cp)
{
	int width =
	    cp == UTF8_JOINER || is_left_out(cp) ? 0 : utf8_cp_width(cp);
	bool joined = c->n && c->joins && c->width == 2 &&
		      utf8_is_emoji((uint32_t)c->text[0]) && utf8_is_emoji(cp);

	c->joins = cp == UTF8_JOINER;
	if (width > 0 && !joined)
		return c->n && c->width == 2 && utf8_is_tone(cp);
	if (cp == UTF8_JOINER || is_left_out(cp) || !c->n || !term_utf8() ||
	    utf8_cp_unsafe(cp) || c->n + 1 + joined > CCHARW_MAX)
		return true;
	if (width > 0)
		c->text[c->n++] = UTF8_JOINER;
	c->text[c->n++] = (wchar_t)cp;
	return true;
}

void paint_cell(int row, int col, const struct screen_cell *from, bool dim)
{
	struct style st = {from->fg, from->bg, from->attrs};
	struct cell c = {.n = 0};

	if (from->width == 0 || row < 0 || row >= LINES ||
	    col + from->width > COLS)
		return;
	if (dim)
		st.attrs |= SCREEN_DIM;
	/* A blank on a blank, as most cells are. */
	if (from->chars[0] <= ' ' && !st.bg &&
	    !(st.attrs & (SCREEN_UNDERLINE | SCREEN_REVERSE)))
		return;
	cell_start(&c, from->chars[0] ? from->chars[0] : ' ', st);
	if (c.width > from->width)
		cell_start(&c, '?', st);
	else if (utf8_is_tone(from->chars[0]))
		cell_start(&c, ' ', st);
	else
		for (int i = 1; i < SCREEN_CELL_CHARS && from->chars[i]; i++)
			cell_add(&c, from->chars[i]);
	cell_put(&c, row, col);
}

/* Returns the length of the next cluster, and its columns as shown; 0: there is
 * none. */
static size_t next_cluster(const char *s, size_t len, int *cols)
{
	size_t n = utf8_cluster(s, len, cols);
	uint32_t cp;

	if (n && (unsigned char)*s - 0x20u >= 0x5f) {
		utf8_safe(s, n, &cp);
		*cols = is_left_out(cp) ? 0 : cp < 0x7f ? 1 : *cols;
	}
	return n;
}

int paint_plain(int row, int col, int cols, const char *text, struct style st)
{
	size_t left = text ? strlen(text) : 0, n;
	struct cell c = {.n = 0};
	int used = 0, width;
	uint32_t cp;

	if (row < 0 || row >= LINES || col >= COLS)
		return 0;
	if (cols > COLS - col)
		cols = COLS - col;
	while ((n = next_cluster(text, left, &width)) && used + width <= cols) {
		c.joins = false;
		for (left -= n; n;) {
			size_t k = utf8_safe(text, n, &cp);

			text += k;
			n -= k;
			if (cell_add(&c, cp))
				continue;
			cell_put(&c, row, col + used - c.width);
			cell_start(&c, cp, st);
			used += c.width;
		}
	}
	cell_put(&c, row, col + used - c.width);
	return used;
}

int paint_width(const char *text)
{
	size_t left = text ? strlen(text) : 0, n;
	int cols = 0, width;

	for (; (n = next_cluster(text, left, &width)); text += n, left -= n)
		cols += width;
	return cols;
}

int paint_text(int row, int col, int cols, const char *text, struct style style)
{
	int used;

	if (!text || cols <= 0)
		return 0;
	if (paint_width(text) <= cols)
		return paint_plain(row, col, cols, text, style);
	used = paint_plain(row, col, cols - 1, text, style);
	paint_fill(row, col + used, cols - 1 - used, style);
	put_cell(row, col + cols - 1, term_utf8() ? L"…" : L"~", style);
	return cols;
}

int paint_look(int row, int col, int cols, const char *text, enum look look)
{
	return paint_text(row, col, cols, text, paint_style(look));
}

int paint_changes(int row, int col, int cols, const char *text,
		  const struct style *st)
{
	const char *minus = *text == '+' ? strchr(text, '-') : NULL;
	_free_ char *added =
	    mem_strndup(text, minus ? (size_t)(minus - text) : 0);
	int used;

	if (!minus || st)
		return paint_text(row, col, cols, text,
				  st ? *st : (struct style){0});
	used = paint_look(row, col, cols, added, LOOK_ADDED);
	return used +
	       paint_look(row, col + used, cols - used, minus, LOOK_REMOVED);
}

/* Splits text into rows of at most cols, at blanks if there are some; returns
 * where the row that begins at text ends. */
static size_t wrap(const char *text, int cols)
{
	size_t fit = utf8_fit(text, strlen(text), cols), i = fit;

	if (!text[fit])
		return fit;
	while (i > 0 && text[i - 1] != ' ')
		i--;
	return i > 1 ? i - 1 : fit ? fit : 1;
}

int paint_wrapped_rows(const char *text, int cols, int max)
{
	int rows = 0;

	while (*text && rows < max) {
		text += wrap(text, cols);
		text += strspn(text, " ");
		rows++;
	}
	return rows;
}

int paint_wrapped(const struct rect *r, const char *text, enum look look)
{
	int row = 0;

	while (*text && row < r->rows) {
		size_t len = wrap(text, r->cols);
		_free_ char *part = row + 1 < r->rows ? mem_strndup(text, len)
						      : mem_strdup(text);

		paint_look(r->row + row++, r->col, r->cols, part, look);
		text += len;
		text += strspn(text, " ");
	}
	return row;
}

void paint_fill(int row, int col, int cols, struct style style)
{
	cchar_t cell = cell_of(L" ", style);

	mvhline_set(row, col, &cell, cols);
}

void paint_line(int row, int col, int cols)
{
	cchar_t cell =
	    cell_of(term_utf8() ? L"─" : L"-", paint_style(LOOK_QUIET));

	mvhline_set(row, col, &cell, cols);
}

void paint_heading(const struct rect *r, enum look look, const char *fmt, ...)
{
	_free_ char *text = NULL, *title = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	title = mem_printf(" %s ", text ? text : "");
	paint_line(r->row, r->col, r->cols);
	paint_look(r->row, r->col + 2, r->cols - 4, title, look);
}

void paint_column(int row, int col, int rows)
{
	cchar_t cell =
	    cell_of(term_utf8() ? L"│" : L"|", paint_style(LOOK_QUIET));

	mvvline_set(row, col, &cell, rows);
}

void paint_mark(int row, int col)
{
	attr_t attrs;
	short pair;
	int wide = 0;
	cchar_t cell;
	wchar_t text[CCHARW_MAX + 1];

	if (row < 0 || row >= LINES || col < 0 || col >= COLS ||
	    mvin_wch(row, col, &cell) != OK)
		return;
	if (getcchar(&cell, text, &attrs, &pair, &wide) != OK)
		return;
	setcchar(&cell, text[0] ? text : L" ", attrs ^ A_REVERSE, 0, &wide);
	mvadd_wch(row, col, &cell);
}

struct rect paint_window(void)
{
	return (struct rect){0, 0, LINES, COLS};
}

void paint_begin(void)
{
	erase();
}

void paint_show(int row, int col)
{
	bool seen = row >= 0 && row < LINES && col >= 0 && col < COLS;

	move(seen ? row : LINES - 1, seen ? col : COLS - 1);
	/* A cursor that cannot be seen need not be moved. */
	leaveok(stdscr, curs_set(seen) != ERR && !seen);
	refresh();
}
