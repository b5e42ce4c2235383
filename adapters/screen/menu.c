/*
 * menu.c - reads a menu from the screen's end upwards.
 *
 * No text of the model is below a dialog's options, but much of it is above and
 * in them: so rows are read upwards from the last one, number by number, and if
 * one does not match there is no menu. The text of a wrapped option may look
 * like another option, but it is indented deeper than all numbers.
 */
#include "adapters/screen/menu.h"

#include <limits.h>
#include <string.h>

#include "base/utf8.h"

#define END_ROWS 3    /* of the footer, wrapped */
#define SCROLLED "↑ " /* "↑ 11 more lines" */

struct line {
	const char *text; /* after blanks and frame */
	size_t len;
	int indent; /* of text, in cells; -1: outside of the frame */
	int column; /* of what follows the marker */
	int number; /* of an option, else 0 */
	bool marked;
};

static void trim_end(struct line *l)
{
	while (l->len > 0 && l->text[l->len - 1] == ' ')
		l->len--;
}

/* Removes the frame from both ends; false if the row has none. */
static bool strip_frame(struct line *l, const char *frame)
{
	size_t n = strlen(frame);

	if (!row_starts(l->text, frame))
		return false;
	l->text += n;
	l->len -= n;
	trim_end(l);
	if (l->len < n || memcmp(l->text + l->len - n, frame, n) != 0)
		return false;
	l->len -= n;
	trim_end(l);
	n = strspn(l->text, " ");
	n = n < l->len ? n : l->len;
	l->text += n;
	l->len -= n;
	return true;
}

static struct line read_line(const char *row, const struct menu_shape *shape)
{
	struct line l = {.text = row + strspn(row, " ")};
	const char *s;

	l.len = strlen(l.text);
	trim_end(&l);
	if (shape->frame && !strip_frame(&l, shape->frame)) {
		l.indent = -1;
		return l;
	}
	l.indent = utf8_width(row, (size_t)(l.text - row));
	s = l.text;
	if (row_starts(s, shape->marker)) {
		l.marked = true;
		s += strlen(shape->marker);
		s += strspn(s, " ");
	}
	l.column = utf8_width(row, (size_t)(s - row));
	if (*s >= '1' && *s <= '9' && s[1] == '.' && s[2] == ' ')
		l.number = *s - '0';
	return l;
}

static bool is_blank(const struct line *l)
{
	return l->indent >= 0 && l->len == 0;
}

static bool starts_at(const struct screen_view *v, int row, const char *with)
{
	const char *s = v->rows[row];

	return row_starts(s + strspn(s, " "), with);
}

/*
 * Returns the last row above the menu's footer, or -1. Unless the footer is
 * unmistakable (tight), a blank row must be above it, or the mark of a dialog
 * that is scrolled to its end.
 */
static int find_last(const struct screen_view *v,
		     const struct menu_shape *shape)
{
	int last = screen_view_end(v) - 1, row;

	for (row = last; row > 0 && row > last - END_ROWS; row--) {
		bool above = starts_at(v, row - 1, SCROLLED);

		if (starts_at(v, row, shape->end) &&
		    (shape->tight || above || v->rows[row - 1][0] == '\0'))
			return row - 1 - above;
	}
	if (!shape->endless)
		return -1;
	return last >= 0 && starts_at(v, last, SCROLLED) ? last - 1 : last;
}

/* Reads the options from row upwards, the last one first. */
static bool read_options(const struct screen_view *v,
			 const struct menu_shape *shape, int row,
			 struct dialog *out)
{
	int column = -1, least = INT_MAX, next = 0, marks = 0;

	for (; row >= 0; row--) {
		struct line l = read_line(v->rows[row], shape);

		if (l.indent < 0 || is_blank(&l))
			return false;
		if (l.number == 0 || (column >= 0 && l.column != column)) {
			least = l.indent < least ? l.indent : least;
			continue;
		}
		if (column < 0) {
			column = l.column;
			next = out->noptions = l.number;
		}
		if (l.number != next)
			return false;
		marks += l.marked;
		out->options[--next] = row;
		if (next == 0)
			break;
	}
	out->menu = row;
	return row >= 0 && marks == 1 && out->noptions > 1 && least > column;
}

/*
 * The same for options without numbers: all rows of one column, up to the first
 * row that begins left of it, which must be the question. A wrapped text may
 * look like an option, but the marker never comes there.
 */
static bool read_unnumbered(const struct screen_view *v,
			    const struct menu_shape *shape, int row,
			    struct dialog *out)
{
	struct line l = read_line(v->rows[row], shape);
	int column = l.column, end = row, marks = 0;

	while (l.indent >= 0 && l.len > 0 && l.number == 0 &&
	       l.column == column) {
		if (row == 0 || end - row == DIALOG_OPTIONS)
			return false;
		out->marked = l.marked ? row : out->marked;
		marks += l.marked;
		l = read_line(v->rows[--row], shape);
	}
	out->moves = true;
	out->menu = row + 1;
	out->marked -= out->menu;
	out->noptions = end - row;
	for (int i = 0; i < out->noptions; i++)
		out->options[i] = out->menu + i;
	return marks == 1 && out->noptions > 1 && l.indent >= 0 && l.len > 0 &&
	       l.column < column;
}

void menu_find(const struct screen_view *v, const struct menu_shape *shape,
	       struct dialog *out)
{
	int row = find_last(v, shape);

	*out = (struct dialog){.known = true};
	for (; row >= 0; row--) {
		struct line l = read_line(v->rows[row], shape);

		if (!is_blank(&l))
			break;
	}
	if (row < 0 ||
	    (!read_options(v, shape, row, out) &&
	     !(shape->unnumbered && read_unnumbered(v, shape, row, out)))) {
		*out = (struct dialog){.known = true};
		return;
	}
	for (row = out->menu; row > 0; row--) {
		const char *above = v->rows[row - 1];

		if (!row_starts(above, shape->dialog) &&
		    (*above || !shape->gaps))
			break;
	}
	out->top = row;
}
