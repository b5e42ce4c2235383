/*
 * grid.c - rows of cells: erase, scroll, insert, delete, resize.
 *
 * A character of two columns is two cells, CELL_LEFT and CELL_RIGHT; whatever
 * would part them blanks what is left (grid_repair). A blank cell is all zeros,
 * so that only rows that were written cost memory. Combining characters are in
 * a table beside the grid; each entry belongs to one cell only, and entries
 * without a cell are collected when the table is full.
 */
#include "screen/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define CLUSTERS_FIRST 64
#define CLUSTERS_MAX   65536

void grid_init(struct grid *g, int cols, int rows)
{
	g->block = mem_alloc((size_t)cols * (size_t)rows * sizeof(*g->block));
	g->row = mem_alloc((size_t)rows * sizeof(*g->row));
	for (int y = 0; y < rows; y++)
		g->row[y] = g->block + (size_t)y * (size_t)cols;
}

void grid_finish(struct grid *g)
{
	free(g->block);
	free(g->row);
	*g = (struct grid){0};
}

static void unwide(struct cell *c)
{
	c->ch = 0;
	c->part = CELL_SINGLE;
}

void grid_resize(struct grid *g, int cols, int rows, int to_cols, int to_rows,
		 int skip)
{
	struct grid to;
	int n = cols < to_cols ? cols : to_cols;

	grid_init(&to, to_cols, to_rows);
	for (int y = 0; y < to_rows && y + skip < rows; y++) {
		struct cell *c = to.row[y];

		memcpy(c, g->row[y + skip], (size_t)n * sizeof(*c));
		if (c[n - 1].part == CELL_LEFT)
			unwide(&c[n - 1]);
	}
	grid_finish(g);
	*g = to;
}

/* Each copy doubles what is there. */
void grid_fill(struct cell *at, int n, const struct cell *with)
{
	if (n > 0)
		at[0] = *with;
	for (int done = 1, more; done < n; done += more) {
		more = done < n - done ? done : n - done;
		memcpy(at + done, at, (size_t)more * sizeof(*at));
	}
}

void grid_blank(const struct model *m, struct cell *at, int n)
{
	const struct cell blank = {.bg = m->pen.bg};

	grid_fill(at, n, &blank);
}

void grid_repair(struct model *m, int row, int from, int to)
{
	struct cell *c = m->grid->row[row];

	if (from > 0 && from < m->cols && c[from].part == CELL_RIGHT) {
		unwide(&c[from - 1]);
		unwide(&c[from]);
	}
	if (to > 0 && to < m->cols && c[to].part == CELL_RIGHT) {
		unwide(&c[to - 1]);
		unwide(&c[to]);
	}
}

void grid_erase(struct model *m, int row, int from, int to)
{
	if (from >= to)
		return;
	grid_repair(m, row, from, to);
	grid_blank(m, m->grid->row[row] + from, to - from);
}

/* Turns rows top..bottom so that row top + n comes to be the first. */
static void rotate(struct cell **row, int top, int bottom, int n)
{
	struct cell *one, **tmp = &one;
	size_t len = (size_t)(bottom - top + 1), k = (size_t)n;

	if (k == len)
		return;
	if (k > 1)
		tmp = mem_alloc(k * sizeof(*tmp));
	memcpy(tmp, row + top, k * sizeof(*tmp));
	memmove(row + top, row + top + k, (len - k) * sizeof(*tmp));
	memcpy(row + top + len - k, tmp, k * sizeof(*tmp));
	if (k > 1)
		free(tmp);
}

void grid_scroll_up(struct model *m, int top, int bottom, int n)
{
	struct cell **row = m->grid->row;

	n = n > bottom - top + 1 ? bottom - top + 1 : n;
	if (n <= 0)
		return;
	rotate(row, top, bottom, n);
	for (int i = 0; i < n; i++)
		grid_blank(m, row[bottom - i], m->cols);
}

void grid_scroll_down(struct model *m, int top, int bottom, int n)
{
	int len = bottom - top + 1;

	n = n > len ? len : n;
	if (n <= 0)
		return;
	rotate(m->grid->row, top, bottom, len - n);
	for (int i = 0; i < n; i++)
		grid_blank(m, m->grid->row[top + i], m->cols);
}

void grid_insert(struct model *m, int n)
{
	struct cell *c = m->grid->row[m->y];
	int room = m->cols - m->x;

	n = n > room ? room : n;
	grid_repair(m, m->y, m->x, m->cols - n);
	memmove(c + m->x + n, c + m->x, (size_t)(room - n) * sizeof(*c));
	grid_blank(m, c + m->x, n);
}

void grid_delete(struct model *m, int n)
{
	struct cell *c = m->grid->row[m->y];
	int room = m->cols - m->x;

	n = n > room ? room : n;
	grid_repair(m, m->y, m->x, m->x + n);
	memmove(c + m->x, c + m->x + n, (size_t)(room - n) * sizeof(*c));
	grid_blank(m, c + m->cols - n, n);
}

static void collect_grid(struct model *m, struct grid *g,
			 uint32_t (*to)[SCREEN_CELL_CHARS], uint32_t *n)
{
	for (int y = 0; g->row && y < m->rows; y++) {
		for (int x = 0; x < m->cols; x++) {
			struct cell *c = &g->row[y][x];

			if (!(c->ch & CELL_CLUSTER))
				continue;
			memcpy(to[*n], m->cluster[c->ch & ~CELL_CLUSTER],
			       sizeof(to[0]));
			c->ch = CELL_CLUSTER | (*n)++;
		}
	}
}

/* More living ones than there may be: the characters stay without them. */
static void flatten(struct model *m, struct grid *g)
{
	for (int y = 0; g->row && y < m->rows; y++) {
		for (int x = 0; x < m->cols; x++) {
			struct cell *c = &g->row[y][x];

			if (c->ch & CELL_CLUSTER)
				c->ch = m->cluster[c->ch & ~CELL_CLUSTER][0];
		}
	}
}

/* Makes room in the table for one more. */
static void cluster_room(struct model *m)
{
	uint32_t n = 0, cap = m->cluster_cap;

	if (m->clusters < cap)
		return;
	cap = cap ? cap : CLUSTERS_FIRST;
	uint32_t(*to)[SCREEN_CELL_CHARS] = mem_alloc(cap * sizeof(*to));

	collect_grid(m, &m->main, to, &n);
	collect_grid(m, &m->alt, to, &n);
	/* Half full: next time would come too soon. */
	if (n > cap / 2 && cap < CLUSTERS_MAX) {
		cap *= 2;
		to = mem_realloc(to, cap * sizeof(*to));
	}
	free(m->cluster);
	m->cluster = to;
	m->clusters = n;
	m->cluster_cap = cap;
	if (n > cap / 2 && cap == CLUSTERS_MAX) {
		flatten(m, &m->main);
		flatten(m, &m->alt);
		m->clusters = 0;
	}
}

void grid_combine(struct model *m, struct cell *c, uint32_t cp)
{
	if (c->part == CELL_RIGHT || c->ch == 0)
		return;
	if (!(c->ch & CELL_CLUSTER)) {
		cluster_room(m);
		memset(m->cluster[m->clusters], 0, sizeof(m->cluster[0]));
		m->cluster[m->clusters][0] = c->ch;
		c->ch = CELL_CLUSTER | m->clusters++;
	}
	uint32_t *chars = m->cluster[c->ch & ~CELL_CLUSTER];

	for (int i = 1; i < SCREEN_CELL_CHARS; i++) {
		if (chars[i] == 0) {
			chars[i] = cp;
			return;
		}
	}
}

bool grid_joins(const struct model *m, const struct cell *c)
{
	const uint32_t *chars;
	int n = 0;

	if (!(c->ch & CELL_CLUSTER))
		return false;
	chars = m->cluster[c->ch & ~CELL_CLUSTER];
	while (n < SCREEN_CELL_CHARS && chars[n])
		n++;
	return chars[n - 1] == UTF8_JOINER;
}

void grid_convert(const struct model *m, const struct cell *c,
		  struct screen_cell *out)
{
	static const int widths[] = {
	    [CELL_SINGLE] = 1, [CELL_LEFT] = 2, [CELL_RIGHT] = 0};

	*out = (struct screen_cell){.width = widths[c->part],
				    .attrs = c->attrs,
				    .fg = c->fg,
				    .bg = c->bg};
	if (c->ch & CELL_CLUSTER)
		memcpy(out->chars, m->cluster[c->ch & ~CELL_CLUSTER],
		       sizeof(out->chars));
	else
		out->chars[0] = c->ch;
	/* The joined character did not fit: do not join the next cell instead.
	 */
	if (out->chars[SCREEN_CELL_CHARS - 1] == UTF8_JOINER)
		out->chars[SCREEN_CELL_CHARS - 1] = 0;
}

/* Four sums side by side: no multiplication waits for the one before. */
uint64_t screen_row_hash(const struct screen *s, int row)
{
	const struct model *m = s->model;
	uint64_t sum[4] = {1, 2, 3, 4}, word[2];
	const struct cell *c;

	if (row < 0 || row >= m->rows)
		return 0;
	c = m->grid->row[row];
	for (int i = 0; i < m->cols; i++) {
		uint64_t *h = &sum[i & 3];

		memcpy(word, &c[i], sizeof word);
		*h = (*h ^ word[0]) * UINT64_C(0x9e3779b97f4a7c15);
		*h ^= *h >> 29;
		*h = (*h ^ word[1]) * UINT64_C(0x9e3779b97f4a7c15);
		*h ^= *h >> 32;
		for (int k = 0; c[i].ch & CELL_CLUSTER && k < SCREEN_CELL_CHARS;
		     k++)
			*h = (*h ^ m->cluster[c[i].ch & ~CELL_CLUSTER][k]) *
			     UINT64_C(0x9e3779b97f4a7c15);
	}
	for (int i = 1; i < 4; i++)
		sum[0] = (sum[0] ^ sum[i] ^ sum[0] >> 31) *
			 UINT64_C(0x9e3779b97f4a7c15);
	return sum[0];
}

bool model_row_is_blank(const struct model *m, int row)
{
	const struct cell *c = m->grid->row[row];
	int i = 0;

	while (i < m->cols && (c[i].ch == 0 || c[i].ch == ' '))
		i++;
	return i == m->cols;
}
