/* capture.c - pictures of screens, read and painted. */
#include "tui/capture.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "tui/sgr.h"

void capture_finish(struct capture *c)
{
	strv_finish(&c->lines);
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

	if (!cJSON_IsArray(lines))
		return -1;
	capture_finish(c);
	c->cols = (int)json_int(o, "cols", 80);
	c->rows = (int)json_int(o, "rows", 24);
	cJSON_ArrayForEach (line, lines) {
		if (c->lines.n == CAPTURE_LINES_MAX)
			break;
		strv_add(&c->lines,
			 cJSON_IsString(line) ? line->valuestring : "");
	}
	c->cursor_col = number(cursor, 0);
	c->cursor_row = number(cursor, 1);
	c->title = mem_strdup(json_str(o, "title"));
	return 0;
}

/* Nothing on it but blanks; a coloured background does not count. */
static bool is_blank(const char *line)
{
	struct style style;
	struct sgr s;
	uint32_t cp;

	sgr_init(&s, line, strlen(line), STYLE_PLAIN);
	while (sgr_next(&s, &cp, &style))
		if (cp != ' ')
			return false;
	return true;
}

int capture_top(const struct capture *c, int rows)
{
	int last = (int)c->lines.n - 1;

	while (last > 0 && is_blank(c->lines.v[last]))
		last--;
	if (c->cursor_row > last && c->cursor_row < (int)c->lines.n)
		last = c->cursor_row;
	return last + 1 > rows ? last + 1 - rows : 0;
}

void capture_draw(const struct capture *c, const struct rect *r, bool dim)
{
	struct style base = STYLE_PLAIN;
	int top = capture_top(c, r->rows);

	if (dim)
		base.attrs = STYLE_DIM;
	for (int i = 0; i < r->rows && top + i < (int)c->lines.n; i++)
		paint_sgr(r->row + i, r->col, r->cols, c->lines.v[top + i],
			  base);
	if (!dim && c->cursor_row >= top && c->cursor_row < top + r->rows &&
	    c->cursor_col >= 0 && c->cursor_col < r->cols)
		paint_mark(r->row + c->cursor_row - top,
			   r->col + c->cursor_col);
}
