/* capture.c - pictures of screens, read and painted. */
#include "tui/preview/capture.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"

void capture_finish(struct capture *c)
{
	screen_destroy(c->screen);
	free(c->title);
	*c = (struct capture){0};
}

static int number(const cJSON *array, int index)
{
	const cJSON *n = cJSON_GetArrayItem(array, index);

	return cJSON_IsNumber(n) && n->valuedouble >= 0 &&
		       n->valuedouble < 10000
		   ? (int)n->valuedouble
		   : -1;
}

int capture_from_json(struct capture *c, const cJSON *o)
{
	const cJSON *lines = cJSON_GetObjectItemCaseSensitive(o, "lines");
	const cJSON *cursor = cJSON_GetObjectItemCaseSensitive(o, "cursor");
	const cJSON *line;
	int n = cJSON_GetArraySize(lines), skip, row;

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
	c->cursor_col = number(cursor, 0);
	c->cursor_row = number(cursor, 1);
	/* Some of the lines may be of its history. */
	if (c->cursor_row >= 0)
		c->cursor_row -= (int)json_int(o, "first", 0) + skip;
	c->title = mem_strdup(json_str(o, "title"));
	return 0;
}

/* Nothing on it but blanks; a coloured background does not count. */
static bool is_blank(const struct screen *s, int row)
{
	struct buf text = {0};
	bool blank;

	screen_row_text(s, row, false, &text);
	blank = text.len == 0;
	buf_finish(&text);
	return blank;
}

/* The row to begin with in a window of rows: the end of what is written, or
 * the cursor, must be seen. */
static int top_row(const struct capture *c, int rows)
{
	int last = screen_rows(c->screen) - 1;

	if (c->cursor_row > last)
		return 0;
	while (last > 0 && last > c->cursor_row && is_blank(c->screen, last))
		last--;
	return last + 1 > rows ? last + 1 - rows : 0;
}

void capture_draw(const struct capture *c, const struct rect *r, bool dim)
{
	int top = top_row(c, r->rows), cols = screen_cols(c->screen);
	struct screen_cell cell;

	for (int i = 0; i < r->rows && top + i < screen_rows(c->screen); i++) {
		for (int x = 0; x < cols && x < r->cols; x++) {
			screen_cell(c->screen, x, top + i, &cell);
			if (x + cell.width <= r->cols)
				paint_cell(r->row + i, r->col + x, &cell, dim);
		}
	}
	if (!dim && c->cursor_row >= top && c->cursor_row < top + r->rows &&
	    c->cursor_col >= 0 && c->cursor_col < r->cols)
		paint_mark(r->row + c->cursor_row - top,
			   r->col + c->cursor_col);
}
