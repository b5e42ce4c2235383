/*
 * table.c - prints tables, and lists as a table, as names or as JSON.
 *
 * A table is printed through one buffer and one write: 200 writes for 200 lines
 * are most of what listing costs.
 */
#include "commands/cli/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "base/size.h"
#include "commands/cli/output.h"
#include "commands/command.h"

#define RESET		 "\033[0m"
#define GAP		 2
#define LIST_COLUMNS_MAX 8

struct cell {
	char *text; /* already made safe */
	const char *sgr;
	int width;
	bool spans; /* spans the whole row, whose other cells are empty */
};

struct table {
	size_t columns, n;
	struct cell *cells;
	struct column {
		bool right, hidden;
		int width;
	} * column;
};

struct table *table_create(size_t columns, const char *const *titles)
{
	struct table *t = mem_alloc(sizeof *t);

	t->columns = columns;
	t->column = mem_alloc(columns * sizeof *t->column);
	for (size_t i = 0; titles && i < columns; i++) {
		t->column[i].right = titles[i][0] == '>';
		table_cell(t, titles[i] + t->column[i].right, "\033[2m");
	}
	return t;
}

void table_hide(struct table *t, size_t column)
{
	t->column[column].hidden = true;
}

void table_cell(struct table *t, const char *text, const char *sgr)
{
	struct buf safe = {0};
	struct cell *c;

	t->cells = mem_grow(t->cells, t->n, sizeof *t->cells);
	c = &t->cells[t->n++];
	c->spans = false;
	c->sgr = sgr ? sgr : "";
	c->width = output_text(&safe, text, -1);
	c->text = buf_steal(&safe);
}

void table_heading(struct table *t, const char *text, const char *sgr)
{
	table_cell(t, text, sgr);
	t->cells[t->n - 1].spans = true;
	for (size_t i = 1; i < t->columns; i++)
		table_cell(t, "", NULL);
}

void table_cellf(struct table *t, const char *fmt, ...)
{
	char *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	table_cell(t, text, NULL);
	free(text);
}

void table_age(struct table *t, int64_t ms)
{
	char text[24] = "-";

	if (ms >= 0)
		clock_age(ms, text, sizeof text);
	table_cell(t, text, NULL);
}

void table_size(struct table *t, int64_t bytes)
{
	char text[SIZE_TEXT];

	size_text(bytes, text);
	table_cell(t, text, NULL);
}

static void pad(struct buf *out, int n)
{
	for (; n > 0; n--)
		buf_addc(out, ' ');
}

static void add_cell(struct buf *out, const struct cell *c, int max,
		     bool colour)
{
	bool sgr = colour && c->sgr[0] && c->text[0];

	if (sgr)
		buf_adds(out, c->sgr);
	if (max < 0 || c->width <= max)
		buf_adds(out, c->text);
	else
		output_text(out, c->text, max);
	if (sgr)
		buf_adds(out, RESET);
}

static void add_row(struct buf *out, const struct table *t,
		    const struct cell *row, bool colour, int width)
{
	int at = 0;
	size_t last = t->columns - 1;

	for (size_t i = 0; i < t->columns; i++) {
		const struct column *c = &t->column[i];
		int w = row->spans ? width : c->width;

		if (c->hidden)
			continue;
		if (width > 0 && at >= width)
			break;
		if (width > 0 && w > width - at)
			w = width - at;
		if (c->right)
			pad(out, w - row[i].width);
		add_cell(out, &row[i], width > 0 ? w : -1, colour);
		if (i == last || row->spans)
			break;
		if (!c->right)
			pad(out, w - row[i].width);
		at += w + GAP;
		if (width <= 0 || at < width)
			pad(out, GAP);
	}
	while (out->len && out->data[out->len - 1] == ' ')
		out->len--;
	buf_addc(out, '\n');
}

static void destroy(struct table *t)
{
	for (size_t i = 0; i < t->n; i++)
		free(t->cells[i].text);
	free(t->cells);
	free(t->column);
	free(t);
}

/* Returns the width of the table with rows and columns swapped. */
static int turned_width(const struct table *t)
{
	int all = -GAP;

	for (size_t i = 0; i < t->n; i += t->columns) {
		int most = 0;

		for (size_t c = 0; c < t->columns; c++)
			if (!t->column[c].hidden &&
			    t->cells[i + c].width > most)
				most = t->cells[i + c].width;
		all += GAP + most;
	}
	return all;
}

static void transpose(struct table *t)
{
	struct cell *cells = mem_alloc(t->n * sizeof *cells);
	size_t rows = t->n / t->columns, n = 0;

	for (size_t c = 0; c < t->columns; c++)
		for (size_t r = 0; r < rows; r++) {
			struct cell *cell = &t->cells[r * t->columns + c];

			if (t->column[c].hidden)
				free(cell->text);
			else
				cells[n++] = *cell;
		}
	free(t->cells);
	free(t->column);
	t->cells = cells;
	t->n = n;
	t->columns = rows;
	t->column = mem_alloc(rows * sizeof *t->column);
}

void table_end_turned(struct table *t)
{
	int width = output_width();

	if (width <= 0 || turned_width(t) <= width)
		transpose(t);
	table_end(t);
}

void table_end(struct table *t)
{
	bool colour = output_colour();
	int width = output_width();
	struct buf out = {0};

	for (size_t i = 0; i < t->n; i++)
		if (!t->cells[i].spans &&
		    t->cells[i].width > t->column[i % t->columns].width)
			t->column[i % t->columns].width = t->cells[i].width;
	for (size_t i = 0; i + t->columns <= t->n; i += t->columns)
		add_row(&out, t, t->cells + i, colour, width);
	if (out.len)
		fwrite(out.data, 1, out.len, stdout);
	buf_finish(&out);
	destroy(t);
}

/* -- a list ---------------------------------------------------------------- */

/* Returns the value as text for the caller to free, or NULL. */
static char *list_text(const cJSON *value)
{
	_buf_ struct buf out = {0};
	const cJSON *e;

	if (cJSON_IsString(value))
		return mem_strdup(value->valuestring);
	if (cJSON_IsNumber(value))
		return mem_printf("%.0f", value->valuedouble);
	cJSON_ArrayForEach (e, value)
		buf_addf(&out, "%s%s", out.len ? " " : "", e->valuestring);
	return out.len ? buf_steal(&out) : NULL;
}

static void add_value(struct table *t, const cJSON *row,
		      const struct list_column *c)
{
	const char *at = json_str(row, c->key);
	_free_ char *text = NULL;

	if (c->kind == LIST_SIZE) {
		table_size(t, json_int(row, c->key, 0));
	} else if (c->kind == LIST_SINCE) {
		table_age(t, at ? clock_wall_ms() - clock_parse(at) : -1);
	} else {
		text = list_text(json_get(row, c->key));
		table_cell(t, text ? text : c->none, c->sgr);
	}
}

static void print_rows(const cJSON *rows, const struct list_column *columns)
{
	const char *titles[LIST_COLUMNS_MAX];
	size_t n = 0;
	struct table *t;
	const cJSON *row;

	for (; columns[n].key; n++)
		titles[n] = columns[n].title;
	t = table_create(n, titles[0] ? titles : NULL);
	cJSON_ArrayForEach (row, rows)
		for (size_t i = 0; i < n; i++)
			add_value(t, row, &columns[i]);
	table_end(t);
}

int list_print(cJSON *rows, const struct list_column *columns,
	       const struct args *args, const char *empty)
{
	const cJSON *row;

	if (args_has(args, "json")) {
		output_json(rows);
		return 0;
	}
	if (args_has(args, "quiet")) {
		cJSON_ArrayForEach (row, rows)
			puts(json_str_or(row, columns[0].key, ""));
	} else {
		if (empty && !rows->child)
			output_hint("%s", empty);
		else
			print_rows(rows, columns);
	}
	cJSON_Delete(rows);
	return 0;
}
