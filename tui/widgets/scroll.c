/*
 * scroll.c - texts to read, line by line.
 *
 * Lines are kept unchanged except for tabs, which become blanks; what an agent
 * wrote is made safe by paint.h when it is drawn.
 */
#include "tui/widgets/scroll.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/mem.h"
#include "tui/term/keys.h"
#include "tui/term/layout.h"
#include "tui/widgets/scroll_line.h"

#define TAB_COLS   8
#define SHIFT_COLS 8

static void drop_text(struct scroll *s)
{
	free(s->text);
	free(s->lines);
	s->text = NULL;
	s->lines = NULL;
	s->n = 0;
}

void scroll_finish(struct scroll *s)
{
	drop_text(s);
	free(s->find);
	free(s->titles);
	*s = (struct scroll){0};
}

static const char *skip_lines(const char *text, size_t n)
{
	while (n-- && *text) {
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return text;
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; n++)
		text = skip_lines(text, 1);
	return n;
}

/* Replaces tabs with blanks. Tab stops are counted in characters, which may be
 * a few columns wrong. */
static void add_lines(struct buf *b, const char *text, size_t most)
{
	const char *end = skip_lines(text, most);

	for (size_t col = 0; text < end; text++) {
		size_t blanks = TAB_COLS - col % TAB_COLS;

		if (*text == '\t') {
			buf_addf(b, "%*s", (int)blanks, "");
			col += blanks;
		} else {
			buf_addc(b, *text);
			col += ((unsigned char)*text & 0xc0) != 0x80;
		}
		if (*text == '\n')
			col = 0;
	}
}

/* Points lines into text, and terminates each line. */
static void split(struct scroll *s)
{
	s->n = count_lines(s->text);
	s->lines = mem_alloc((s->n + 1) * sizeof *s->lines);
	for (size_t i = 0, at = 0; i < s->n; i++) {
		s->lines[i] = s->text + at;
		at += strcspn(s->text + at, "\n");
		s->text[at++] = '\0';
	}
}

/* Returns the top from which the end is seen. */
static size_t last_top(const struct scroll *s)
{
	size_t page = s->page > 0 ? (size_t)s->page : 1;

	return s->n > page ? s->n - page : 0;
}

bool scroll_at_end(const struct scroll *s)
{
	return s->chooses ? s->chosen + 1 >= s->n : s->top >= last_top(s);
}

void scroll_set(struct scroll *s, const char *text)
{
	size_t n = count_lines(text);
	bool first = !s->text, at_end = scroll_at_end(s);
	struct buf b = {0};

	drop_text(s);
	s->marks = false;
	if (n > SCROLL_MAX_LINES && s->from_end) {
		buf_addf(&b, "(the last %d of %zu lines)\n", SCROLL_MAX_LINES,
			 n);
		text = skip_lines(text, n - SCROLL_MAX_LINES);
	}
	add_lines(&b, text, SCROLL_MAX_LINES);
	if (n > SCROLL_MAX_LINES && !s->from_end)
		buf_addf(&b, "(the first %d of %zu lines)\n", SCROLL_MAX_LINES,
			 n);
	buf_adds(&b, "");
	s->text = buf_steal(&b);
	split(s);
	/* The text drawn before may have been longer. */
	if (s->top > last_top(s) || (s->from_end && (first || at_end)))
		s->top = last_top(s);
	if (first)
		scroll_by(s, s->wanted);
	s->wanted = 0;
	if (s->chooses)
		scroll_choose(s, s->chosen);
}

void scroll_draw(struct scroll *s, const struct rect *whole)
{
	struct rect in = *whole, *r = &in;

	if (s->titles) {
		scroll_line_titles(s, &in);
		in.row++;
		in.rows--;
	}
	s->page = r->rows;
	s->row = r->row;
	if (s->chooses)
		scroll_choose(s, s->chosen);
	if (s->top > last_top(s))
		s->top = last_top(s);
	for (int i = 0; i < r->rows && s->top + (size_t)i < s->n; i++)
		scroll_line_draw(s, s->top + (size_t)i, r->row + i, r);
}

void scroll_where(const struct scroll *s, char *out, size_t size)
{
	size_t page = s->page > 0 ? (size_t)s->page : 1;

	out[0] = '\0';
	if (s->n > page)
		snprintf(out, size, " %zu-%zu of %zu ", s->top + 1,
			 s->top + page < s->n ? s->top + page : s->n, s->n);
}

void scroll_draw_titled(struct scroll *s, const char *title,
			const struct rect *r)
{
	struct rect in = {r->row + 1, r->col, r->rows - 1, r->cols};
	char where[64];

	paint_heading(r, LOOK_STRONG, "%s", title);
	scroll_draw(s, &in);
	scroll_where(s, where, sizeof where);
	paint_look(r->row, r->col + r->cols - 1 - paint_width(where), r->cols,
		   where, LOOK_QUIET);
}

void scroll_choose(struct scroll *s, size_t line)
{
	s->chosen = line < s->n ? line : s->n ? s->n - 1 : 0;
	if (!s->page) /* scroll_draw() does it */
		return;
	s->top = layout_scroll(s->top, s->chosen, s->n,
			       s->page > 0 ? (size_t)s->page : 1);
}

void scroll_go(struct scroll *s, size_t line)
{
	s->top = line < last_top(s) ? line : last_top(s);
	s->chosen = line;
}

void scroll_by(struct scroll *s, long lines)
{
	long to = (long)(s->chooses ? s->chosen : s->top) + lines;

	if (!s->text) {
		s->wanted += lines;
		return;
	}
	if (to < 0)
		to = 0;
	if (s->chooses) {
		scroll_choose(s, (size_t)to);
		return;
	}
	s->top = (size_t)to;
	if (s->top > last_top(s))
		s->top = last_top(s);
}

/* Pages the text, too, if it is the choice that moves. */
static void page_by(struct scroll *s, int pages)
{
	long lines = pages * (s->page - 1);
	long top = (long)s->top + lines, last = (long)last_top(s);

	if (s->chooses)
		s->top = (size_t)(top < 0 ? 0 : top > last ? last : top);
	scroll_by(s, lines);
}

static bool is_seen(const struct scroll *s, size_t line)
{
	return line >= s->top && line < s->top + (size_t)s->page;
}

/* Searches from line on, forwards or backwards, wrapping around. */
static bool find_line(struct scroll *s, size_t line, int step)
{
	for (size_t i = 0; i < s->n; i++) {
		if (strcasestr(s->lines[line], s->find)) {
			s->found = line;
			s->chosen = line;
			if (!is_seen(s, line))
				s->top = line > (size_t)s->page / 3
					     ? line - (size_t)s->page / 3
					     : 0;
			return true;
		}
		line = (line + (step > 0 ? 1 : s->n - 1)) % s->n;
	}
	return false;
}

/* Returns the line where a search begins: first in the visible lines. */
static size_t first_line(const struct scroll *s, int step)
{
	size_t last = s->top + (size_t)s->page;

	if (step > 0)
		return s->top;
	return (last < s->n ? last : s->n) - 1;
}

/* Returns the direction of reading: backwards if the newest is at the end. */
static int reading_direction(const struct scroll *s)
{
	return s->from_end ? -1 : 1;
}

bool scroll_find(struct scroll *s, const char *text)
{
	free(s->find);
	s->find = text && *text ? mem_strdup(text) : NULL;
	if (!s->find || !s->n)
		return !s->find;
	return find_line(s, first_line(s, reading_direction(s)),
			 reading_direction(s));
}

bool scroll_find_next(struct scroll *s, bool forth)
{
	int step = forth ? reading_direction(s) : -reading_direction(s);

	if (!s->find || !s->n)
		return false;
	if (s->found >= s->n || !is_seen(s, s->found))
		return find_line(s, first_line(s, step), step);
	return find_line(s, (s->found + (step > 0 ? 1 : s->n - 1)) % s->n,
			 step);
}

static bool shift_key(struct scroll *s, struct key k)
{
	if (k.kind != KEY_KIND_NAMED || (k.cp != KEY_RIGHT && k.cp != KEY_LEFT))
		return false;
	if (k.cp == KEY_RIGHT)
		s->shift += SHIFT_COLS;
	else
		s->shift -= s->shift ? SHIFT_COLS : 0;
	return true;
}

/* Returns whether a file or, unless file is set, a hunk begins in line. */
static bool is_section_start(const char *line, bool file)
{
	return strncmp(line, "diff --git ", 11) == 0 ||
	       (!file && strncmp(line, "@@", 2) == 0);
}

/* Handles [ and ] for hunks, { and } for files. */
static bool jump_key(struct scroll *s, struct key k)
{
	bool file = k.cp == '{' || k.cp == '}';
	bool forth = k.cp == ']' || k.cp == '}';

	if (s->kind != SCROLL_DIFF || k.kind != KEY_KIND_CHAR ||
	    !(file || forth || k.cp == '['))
		return false;
	for (size_t i = s->chooses ? s->chosen : s->top;
	     forth ? ++i < s->n : i-- > 0;)
		if (is_section_start(s->lines[i], file)) {
			scroll_go(s, i);
			break;
		}
	return true;
}

bool scroll_key(struct scroll *s, struct key k)
{
	if (shift_key(s, k) || jump_key(s, k))
		return true;
	switch (keys_act(k)) {
	case ACT_DOWN:
	case ACT_ATTACH: /* Enter */
		scroll_by(s, 1);
		return true;
	case ACT_UP:
		scroll_by(s, -1);
		return true;
	case ACT_MARK: /* Space */
	case ACT_SCROLL_DOWN:
	case ACT_PAGE_DOWN:
		page_by(s, 1);
		return true;
	case ACT_SCROLL_UP:
	case ACT_PAGE_UP:
		page_by(s, -1);
		return true;
	case ACT_FIRST:
		scroll_by(s, -(long)s->n);
		return true;
	case ACT_LAST:
		scroll_by(s, (long)s->n);
		return true;
	default:
		return false;
	}
}
