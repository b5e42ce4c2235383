/*
 * text_field.c - a small editor.
 *
 * One rule gives the place of each character: columns are filled, and a newline
 * or a full row begins the next. Drawing and moving up and down both walk the
 * text by this rule, so they cannot disagree.
 */
#include "tui/widgets/text_field.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define MAX_DEFAULT 4096

void text_finish(struct text *t)
{
	buf_finish(&t->buf);
	t->at = 0;
}

void text_set(struct text *t, const char *s)
{
	buf_clear(&t->buf);
	buf_adds(&t->buf, s ? s : "");
	t->at = t->buf.len;
}

const char *text_get(const struct text *t)
{
	return t->buf.data ? t->buf.data : "";
}

static bool is_inside(char c) /* a character's second byte or later */
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

/* Returns the end of one character with its combining marks. */
static size_t next_character(const struct text *t, size_t at)
{
	uint32_t cp;
	size_t n;

	if (at >= t->buf.len)
		return at;
	n = utf8_decode(t->buf.data + at, t->buf.len - at, &cp);
	at += n ? n : 1;
	while (at < t->buf.len &&
	       (n = utf8_decode(t->buf.data + at, t->buf.len - at, &cp)) &&
	       cp >= 0x300 && utf8_cp_width(cp) == 0)
		at += n;
	return at;
}

static size_t previous_character(const struct text *t, size_t at)
{
	uint32_t cp;

	while (at > 0) {
		do
			at--;
		while (at > 0 && is_inside(t->buf.data[at]));
		if (!utf8_decode(t->buf.data + at, t->buf.len - at, &cp) ||
		    cp < 0x300 || utf8_cp_width(cp) > 0)
			break;
	}
	return at;
}

static void erase_range(struct text *t, size_t from, size_t to)
{
	memmove(t->buf.data + from, t->buf.data + to, t->buf.len - to);
	t->buf.len -= to - from;
	t->buf.data[t->buf.len] = '\0';
	t->at = from;
}

static void insert(struct text *t, uint32_t cp)
{
	char s[4];
	size_t n;

	if (cp == '\t')
		cp = t->many ? '\t' : ' ';
	if (cp == '\n' && !t->many)
		cp = ' ';
	if (utf8_cp_unsafe(cp) && cp != '\n' && cp != '\t')
		return;
	n = utf8_encode(cp, s);
	if (t->buf.len + n > (t->max ? t->max : MAX_DEFAULT)) {
		t->full = true;
		return;
	}
	buf_add(&t->buf, s, n);
	memmove(t->buf.data + t->at + n, t->buf.data + t->at,
		t->buf.len - n - t->at);
	memcpy(t->buf.data + t->at, s, n);
	t->at += n;
}

static size_t line_start(const struct text *t, size_t at)
{
	while (at > 0 && t->buf.data[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_end(const struct text *t, size_t at)
{
	while (at < t->buf.len && t->buf.data[at] != '\n')
		at++;
	return at;
}

static size_t word_back(const struct text *t, size_t at)
{
	while (at > 0 && strchr(" \t\n", t->buf.data[at - 1]))
		at--;
	while (at > 0 && !strchr(" \t\n", t->buf.data[at - 1]))
		at--;
	return at;
}

static void vertical(struct text *t, bool down)
{
	size_t start = line_start(t, t->at), column = t->at - start, to, end;

	if (!down && start == 0)
		return;
	to = down ? line_end(t, t->at) + 1 : line_start(t, start - 1);
	if (to > t->buf.len)
		return;
	end = line_end(t, to);
	t->at = to + column < end ? to + column : end;
	while (t->at > to && t->at < t->buf.len &&
	       is_inside(t->buf.data[t->at]))
		t->at--;
}

static bool control_key(struct text *t, uint32_t c)
{
	switch (c) {
	case 'A' - '@':
		t->at = line_start(t, t->at);
		return true;
	case 'E' - '@':
		t->at = line_end(t, t->at);
		return true;
	case 'U' - '@':
		erase_range(t, line_start(t, t->at), t->at);
		return true;
	case 'K' - '@':
		erase_range(t, t->at, line_end(t, t->at));
		return true;
	case 'W' - '@':
		erase_range(t, word_back(t, t->at), t->at);
		return true;
	case 'H' - '@':
	case 127:
		erase_range(t, previous_character(t, t->at), t->at);
		return true;
	case '\n':
		if (t->many)
			insert(t, '\n');
		return t->many;
	default:
		return false;
	}
}

static bool named_key(struct text *t, uint32_t code)
{
	switch (code) {
	case KEY_LEFT:
		t->at = previous_character(t, t->at);
		return true;
	case KEY_RIGHT:
		t->at = next_character(t, t->at);
		return true;
	case KEY_HOME:
		return control_key(t, 'A' - '@');
	case KEY_END:
		return control_key(t, 'E' - '@');
	case KEY_BACKSPACE:
		return control_key(t, 127);
	case KEY_DC:
		erase_range(t, t->at, next_character(t, t->at));
		return true;
	case KEY_UP:
	case KEY_DOWN:
		if (!t->many)
			return false;
		vertical(t, code == KEY_DOWN);
		return true;
	default:
		return false;
	}
}

bool text_key(struct text *t, struct key k)
{
	if (!t->buf.data)
		text_set(t, "");
	t->full = false;
	switch (k.kind) {
	case KEY_KIND_PASTE:
		insert(t, k.cp);
		return true;
	case KEY_KIND_ALT:
		if (k.cp != '\r' && k.cp != '\n')
			return false;
		return control_key(t, '\n');
	case KEY_KIND_NAMED:
		return named_key(t, k.cp);
	case KEY_KIND_CHAR:
		if (k.cp < 0x20 || k.cp == 127)
			return control_key(t, k.cp);
		insert(t, k.cp);
		return true;
	default:
		return false;
	}
}

/* The place of the character at an offset, in a grid of cols. */
struct walk {
	size_t at;
	int row, col;
};

/* Moves to the next character; sets *width to that of the passed character. */
static void walk_step(const struct text *t, struct walk *w, int cols)
{
	size_t next = next_character(t, w->at), i = w->at;
	uint32_t cp = ' ';
	int width;

	utf8_decode(t->buf.data + i, t->buf.len - i, &cp);
	width = cp == '\t' ? 1 : utf8_cp_width(cp);
	if (cp == '\n') {
		w->row++;
		w->col = 0;
	} else {
		w->col += width;
		/* A character that does not fit is on the next row. */
		if (w->col > cols) {
			w->row++;
			w->col = width;
		}
	}
	w->at = next;
}

static void draw_line(const struct text *t, const struct rect *r,
		      struct style style, int *row, int *col)
{
	size_t from = 0;

	/* Shows as much before the cursor as fits, with one column for the
	 * cursor. */
	while (from < t->at &&
	       utf8_width(t->buf.data + from, t->at - from) >= r->cols)
		from = next_character(t, from);
	*row = r->row;
	*col =
	    r->col +
	    (t->at > from ? utf8_width(t->buf.data + from, t->at - from) : 0);
	paint_plain(r->row, r->col, r->cols, text_get(t) + from, style);
}

void text_draw(const struct text *t, const struct rect *r, struct style style,
	       int *row, int *col)
{
	struct walk w = {0, 0, 0};
	int top;

	if (!t->many) {
		draw_line(t, r, style, row, col);
		return;
	}
	while (w.at < t->at)
		walk_step(t, &w, r->cols);
	if (w.col >= r->cols) {
		w.row++;
		w.col = 0;
	}
	*col = r->col + w.col;
	top = w.row >= r->rows ? w.row - r->rows + 1 : 0;
	*row = r->row + w.row - top;
	w = (struct walk){0, 0, 0};
	while (w.at < t->buf.len && w.row < top + r->rows) {
		size_t from = w.at;
		char one[64];
		size_t n;
		int width;

		walk_step(t, &w, r->cols);
		n = w.at - from;
		if (t->buf.data[from] == '\n' || n >= sizeof one)
			continue;
		memcpy(one, t->buf.data + from, n);
		one[n] = '\0';
		width = t->buf.data[from] == '\t' ? 1 : utf8_width(one, n);
		if (w.row >= top && w.row < top + r->rows)
			paint_plain(r->row + w.row - top,
				    r->col + w.col - width, width, one, style);
	}
}
