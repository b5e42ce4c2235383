/* capture.c - reads and paints pictures of sessions' screens. */
#include "tui/preview/capture.h"

#include <limits.h>
#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"

void capture_finish(struct capture *c)
{
	screen_destroy(c->screen);
	free(c->title);
	*c = (struct capture){0};
}

static int read_number(const cJSON *array, int index)
{
	const cJSON *n = cJSON_GetArrayItem(array, index);

	if (cJSON_IsNumber(n) && n->valuedouble >= 0 && n->valuedouble < 10000)
		return (int)n->valuedouble;
	return -1;
}

int capture_from_json(struct capture *c, const cJSON *o)
{
	const cJSON *lines = json_get(o, "lines");
	const cJSON *cursor = json_get(o, "cursor");
	const cJSON *line;
	int n = cJSON_GetArraySize(lines), skip, row;
	int64_t first = json_int(o, "first", 0); /* another machine's word */

	if (!cJSON_IsArray(lines))
		return -1;
	skip = n > SCREEN_MAX_ROWS ? n - SCREEN_MAX_ROWS : 0;
	capture_finish(c);
	c->screen =
	    screen_create((int)json_int(o, "cols", 80), n - skip, 0, NULL);
	row = -skip;
	cJSON_ArrayForEach (line, lines)
		if (row++ >= 0 && cJSON_IsString(line))
			screen_draw_line(c->screen, row - 1, line->valuestring);
	c->cursor_col = read_number(cursor, 0);
	c->cursor_row = read_number(cursor, 1);
	/* Some of the lines may belong to its history. */
	if (c->cursor_row >= 0 && first > -INT_MAX / 2 && first < INT_MAX / 2)
		c->cursor_row -= (int)first + skip;
	c->title = mem_strdup(json_str(o, "title"));
	return 0;
}

/* Returns where a row's text ends. Frames are text only if frames is set. */
static int text_end(const struct screen *s, int row, bool frames)
{
	struct screen_cell cell;
	int end = 0;

	for (int col = 0; col < screen_cols(s); col++) {
		uint32_t cp;

		screen_cell(s, col, row, &cell);
		cp = cell.chars[0];
		if (cell.width && cp && cp != ' ' &&
		    (frames || !(cp >= 0x2500 && cp < 0x25a0)))
			end = col + cell.width;
	}
	return end;
}

/* Paints a row from line at on, clipped to r; with wrap, a row that is wider
 * than r continues on the next lines. Returns the number of lines. */
static int draw_row(const struct capture *c, int row, const struct rect *r,
		    int at, bool dim, bool wrap)
{
	int end = wrap ? text_end(c->screen, row, false) : 0, line = at,
	    col = 0;
	struct screen_cell cell;

	if (end <= r->cols) {
		wrap = false;
		end = screen_cols(c->screen);
	}
	for (int x = 0; x < end; x++) {
		screen_cell(c->screen, x, row, &cell);
		if (!cell.width)
			continue;
		if (wrap && col + cell.width > r->cols) {
			line++;
			col = 0;
		}
		if (line < 0 || line >= r->rows || col + cell.width > r->cols)
			continue;
		paint_cell(r->row + line, r->col + col, &cell, dim);
		if (!dim && row == c->cursor_row && x == c->cursor_col)
			paint_mark(r->row + line, r->col + col);
		col += cell.width;
	}
	return line + 1 - at;
}

/* Returns the last row that must be seen: the last with text, or the
 * cursor's. */
static int last_row(const struct capture *c)
{
	int last = screen_rows(c->screen) - 1;

	while (last > 0 && last > c->cursor_row &&
	       text_end(c->screen, last, true) == 0)
		last--;
	return last;
}

/* Returns whether a row is blank, like the one above it. */
static bool is_repeated_blank(const struct capture *c, int row)
{
	return row > 0 && row != c->cursor_row && row - 1 != c->cursor_row &&
	       text_end(c->screen, row, true) == 0 &&
	       text_end(c->screen, row - 1, true) == 0;
}

/* Agents keep their input field at the bottom: blank rows above it must not
 * hide what they said. */
void capture_draw(const struct capture *c, const struct rect *r, bool dim,
		  bool wrap)
{
	int last = last_row(c), row, line = r->rows;
	bool all = last < r->rows && !wrap;

	/* Upwards, while there is room. */
	for (row = last; row >= 0 && line > 0; row--)
		if (all || !is_repeated_blank(c, row))
			line -=
			    draw_row(c, row, &(struct rect){.cols = r->cols}, 0,
				     dim, wrap);
	if (line > 0)
		line = 0;
	for (row++; row < screen_rows(c->screen) && line < r->rows; row++)
		if (all || !is_repeated_blank(c, row))
			line += draw_row(c, row, r, line, dim, wrap);
}
