/* scroll_line.c - draws the lines of a text: a diff and a table in colours, the
 * chosen line and the matches of the search in reverse. */
#include "tui/widgets/scroll_line.h"

#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/mem.h"

#define WORD_COLS 19 /* column of the help's explanations */

static struct style diff_style(const char *line)
{
	if (strncmp(line, "diff ", 5) == 0 || strncmp(line, "--- ", 4) == 0 ||
	    strncmp(line, "+++ ", 4) == 0)
		return paint_style(LOOK_STRONG);
	if (line[0] == '|') /* afw diff --comments */
		return paint_style(LOOK_HEADING);
	if (line[0] == '+')
		return paint_style(LOOK_ADDED);
	if (line[0] == '-')
		return paint_style(LOOK_REMOVED);
	if (strncmp(line, "@@", 2) == 0)
		return paint_style(LOOK_KEY);
	return (struct style){0};
}

/* The sum is below the rows of several files. */
static bool is_in_table(const struct scroll *s, size_t i)
{
	return s->files && i >= s->files_at &&
	       i < s->files_at + s->files + (s->files > 1);
}

static struct style line_style(const struct scroll *s, size_t i)
{
	const char *line = s->lines[i];

	if (s->files && i + 1 == s->files_at)
		return paint_style(LOOK_HEADING);
	if (s->kind == SCROLL_DIFF && !is_in_table(s, i))
		return diff_style(line);
	if (s->kind == SCROLL_HELP && *line != ' ')
		return paint_style(LOOK_STRONG);
	return (struct style){0};
}

/* Returns the part of line right of shift columns, counting characters. */
static const char *skip_columns(const char *line, int shift)
{
	while (shift > 0 && *line) {
		line++;
		while (((unsigned char)*line & 0xc0) == 0x80)
			line++;
		shift--;
	}
	return line;
}

/* Marks matches of the search in reverse. */
static void mark_found(const struct scroll *s, int row, const struct rect *r,
		       const char *line)
{
	const char *at = line;

	while (s->find && (at = strcasestr(at, s->find))) {
		_free_ char *before = mem_strndup(line, (size_t)(at - line));
		_free_ char *found = mem_strndup(at, strlen(s->find));
		int col = paint_width(before), end = col + paint_width(found);

		for (; col < end && col < r->cols; col++)
			paint_mark(row, r->col + col);
		at += strlen(s->find);
	}
}

/* Draws "  src/x.c  +12 -3"; a row that is too long loses the end of its
 * name. */
static void draw_file(int row, const struct rect *r, const char *line,
		      const struct style *st)
{
	const char *plus = strrchr(line, '+');
	const char *counts = plus ? plus : line + strlen(line);
	_free_ char *name = mem_strndup(line, (size_t)(counts - line));
	int left = r->cols - paint_width(counts);
	size_t len = strlen(name);
	int col = paint_width(name);

	if (col > left) {
		while (len && name[len - 1] == ' ')
			name[--len] = '\0';
		col = left;
	}
	paint_text(row, r->col, left - 1, name, st ? *st : (struct style){0});
	paint_changes(row, r->col + col, r->cols - col, counts, st);
}

static void draw_changes(const struct scroll *s, const char *line, int row,
			 const struct rect *r)
{
	_free_ char *text =
	    mem_strndup(line + s->changes_col, (size_t)s->changes_cols);

	if (*text == '+' && s->changes_col < r->cols)
		paint_changes(row, r->col + s->changes_col,
			      r->cols - s->changes_col, text, NULL);
}

void scroll_line_draw(const struct scroll *s, size_t i, int row,
		      const struct rect *r)
{
	const char *line = s->lines[i], *seen = skip_columns(line, s->shift);
	size_t n, first = scroll_marked(s, &n);
	bool chosen = s->chooses && i >= first && i < first + n;
	struct style st = line_style(s, i);

	if (chosen) {
		st.attrs |= SCREEN_REVERSE;
		paint_fill(row, r->col, r->cols, st);
	}
	if (is_in_table(s, i))
		draw_file(row, r, line, chosen ? &st : NULL);
	else
		paint_plain(row, r->col, r->cols, seen, st);
	if (chosen && !s->shift && strncmp(line, "  ", 2) == 0)
		paint_plain(row, r->col, r->cols, ">", st);
	if (s->changes_cols && !s->shift && !chosen &&
	    strlen(line) > (size_t)s->changes_col)
		draw_changes(s, line, row, r);
	if (s->kind == SCROLL_HELP && !s->shift && *line == ' ')
		paint_plain(row, r->col,
			    r->cols < WORD_COLS ? r->cols : WORD_COLS, line,
			    paint_style(LOOK_STRONG));
	mark_found(s, row, r, seen);
}

void scroll_line_titles(const struct scroll *s, const struct rect *r)
{
	paint_look(r->row, r->col, r->cols, skip_columns(s->titles, s->shift),
		   LOOK_HEADING);
}
