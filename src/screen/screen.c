/*
 * screen.c - the model as its users see it: made, resized, read.
 */
#include "screen/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "screen/model.h"
#include "screen/sequence.h"

static int clamp(int v, int min, int max)
{
	return v < min ? min : v > max ? max : v;
}

struct screen *screen_create(int cols, int rows, int scrollback,
			     const struct screen_events *events)
{
	struct screen *s = mem_alloc(sizeof(*s));

	if (events)
		s->ev = *events;
	s->cols = clamp(cols, SCREEN_MIN_COLS, SCREEN_MAX_COLS);
	s->rows = clamp(rows, SCREEN_MIN_ROWS, SCREEN_MAX_ROWS);
	history_init(&s->history, scrollback);
	mode_reset(s);
	s->model = model_create(s);
	return s;
}

void screen_destroy(struct screen *s)
{
	if (!s)
		return;
	model_destroy(s->model);
	history_finish(&s->history);
	buf_finish(&s->scan.hold);
	buf_finish(&s->instead);
	buf_finish(&s->notice.title);
	buf_finish(&s->notice.body);
	free(s);
}

void screen_resize(struct screen *s, int cols, int rows)
{
	cols = clamp(cols, SCREEN_MIN_COLS, SCREEN_MAX_COLS);
	rows = clamp(rows, SCREEN_MIN_ROWS, SCREEN_MAX_ROWS);
	if (cols == s->cols && rows == s->rows)
		return;
	model_resize(s->model, cols, rows);
	s->cols = cols;
	s->rows = rows;
	s->top = 0;
	s->bottom = rows - 1;
	s->revision++;
}

int screen_cols(const struct screen *s)
{
	return s->cols;
}

int screen_rows(const struct screen *s)
{
	return s->rows;
}

void screen_cursor(const struct screen *s, int *col, int *row)
{
	*col = s->model->x;
	*row = s->model->y;
}

const char *screen_title(const struct screen *s)
{
	return s->title;
}

const struct screen_modes *screen_modes(const struct screen *s)
{
	return &s->modes;
}

int screen_history(const struct screen *s)
{
	return s->history.n;
}

uint64_t screen_updates(const struct screen *s)
{
	return s->updates;
}

uint64_t screen_revision(const struct screen *s)
{
	return s->revision;
}

void screen_cell(const struct screen *s, int col, int row,
		 struct screen_cell *out)
{
	*out = (struct screen_cell){.width = 1};
	if (col < 0 || row >= s->rows || row < -s->history.n)
		return;
	if (row >= 0 && col < s->cols) {
		grid_convert(s->model, &s->model->grid->row[row][col], out);
	} else if (row < 0) {
		int n;
		struct screen_cell *cells = text_row(s, false, row, &n);

		if (col < n)
			*out = cells[col];
		free(cells);
	}
	out->attrs &= 0xff;
}

/* Without what hides text, as tags do; a terminal's cells may have it. */
static struct screen_cell *safe_row(const struct screen *s, int row, int *n)
{
	struct screen_cell *cells = text_row(s, false, row, n);

	for (int i = 0; i < *n; i++)
		for (int k = 1; k < SCREEN_CELL_CHARS && cells[i].chars[k]; k++)
			if (utf8_cp_unsafe(cells[i].chars[k]))
				cells[i].chars[k] = 0;
	return cells;
}

void screen_row_text(const struct screen *s, int row, bool colours,
		     struct buf *out)
{
	struct pen pen = {0};
	int n;
	struct screen_cell *cells = safe_row(s, row, &n);

	n = text_trim(cells, n, colours);
	text_cells(s->model, cells, n, colours ? &pen : NULL, out);
	sgr_change(s->model, &pen, &(struct pen){0}, out);
	free(cells);
}

bool screen_row_line(const struct screen *s, int row, struct buf *out)
{
	int n;
	struct screen_cell *cells = safe_row(s, row, &n);
	bool wraps = s->model->grid->row[row][s->cols - 1].wraps;

	if (!wraps)
		n = text_trim(cells, n, false);
	else if (!cells[n - 1].chars[0])
		n--; /* no room for a wide one */
	text_cells(s->model, cells, n, NULL, out);
	free(cells);
	return wraps;
}

void screen_last_line(const struct screen *s, int max_cols, struct buf *out)
{
	struct buf line = {0};

	for (int row = s->rows - 1; row >= 0; row--) {
		size_t from = 0;

		if (model_row_is_blank(s->model, row))
			continue;
		buf_clear(&line);
		screen_row_text(s, row, false, &line);
		while (from < line.len && line.data[from] == ' ')
			from++;
		if (from == line.len)
			continue;
		char *safe = mem_alloc(line.len + 1);
		size_t len = utf8_printable(safe, line.len + 1,
					    line.data + from, line.len - from);

		buf_add(out, safe, utf8_fit(safe, len, max_cols));
		free(safe);
		break;
	}
	buf_finish(&line);
}
