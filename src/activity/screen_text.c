/*
 * screen_text.c - the screen as text rows: all of it, without dim text, and
 * only what is highlighted.
 *
 * Harnesses print placeholders and suggestions as dim text; without it, an
 * empty composer differs from a draft. In a menu, Enter chooses the highlighted
 * row.
 */
#include "activity/screen_text.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

enum variant { ALL, SOLID, LIT, VARIANTS };

struct row {
	uint64_t hash;
	struct buf text[VARIANTS];
};

struct screen_text {
	const struct screen *screen;
	uint64_t revision;
	int cols;
	struct row *row;
	const char **rows[VARIANTS]; /* for the view */
	size_t n;
};

struct screen_text *screen_text_create(const struct screen *screen)
{
	struct screen_text *g = mem_alloc(sizeof *g);

	g->screen = screen;
	return g;
}

static void resize(struct screen_text *g, size_t n)
{
	for (size_t i = n; i < g->n; i++)
		for (int w = 0; w < VARIANTS; w++)
			buf_finish(&g->row[i].text[w]);
	g->row = mem_realloc(g->row, (n + 1) * sizeof *g->row);
	for (int w = 0; w < VARIANTS; w++)
		g->rows[w] =
		    mem_realloc(g->rows[w], (n + 1) * sizeof *g->rows[w]);
	if (n > g->n)
		memset(g->row + g->n, 0, (n - g->n) * sizeof *g->row);
	g->n = n;
}

void screen_text_destroy(struct screen_text *g)
{
	if (!g)
		return;
	resize(g, 0);
	for (int w = 0; w < VARIANTS; w++)
		free(g->rows[w]);
	free(g->row);
	free(g);
}

#define BACKGROUNDS 8 /* in one row; two or three are usual */

/* Returns the most frequent background of a row, among its first BACKGROUNDS
 * ones. */
static uint32_t common_background(const struct screen *s, int row)
{
	struct {
		uint32_t bg;
		int cells;
	} seen[BACKGROUNDS] = {{0, 0}};
	size_t n = 0, best = 0;
	struct screen_cell cell;

	for (int col = 0; col < screen_cols(s); col++) {
		size_t i = 0;

		screen_cell(s, col, row, &cell);
		while (i < n && seen[i].bg != cell.bg)
			i++;
		if (i == BACKGROUNDS)
			continue;
		if (i == n)
			seen[n++].bg = cell.bg;
		if (++seen[i].cells > seen[best].cells)
			best = i;
	}
	return seen[best].bg;
}

static void render_row(struct screen_text *g, int row, enum variant variant)
{
	struct buf *text = &g->row[row].text[variant];
	size_t end = 0;
	uint32_t bg = variant == LIT ? common_background(g->screen, row) : 0;
	struct screen_cell cell;

	buf_clear(text);
	for (int col = 0; col < g->cols; col++) {
		bool blank;

		screen_cell(g->screen, col, row, &cell);
		if (cell.width == 0)
			continue;
		blank = cell.chars[0] == 0 || cell.chars[0] == ' ' ||
			(variant == SOLID && (cell.attrs & SCREEN_DIM)) ||
			(variant == LIT && cell.bg == bg &&
			 !(cell.attrs & SCREEN_REVERSE)) ||
			(cell.attrs & SCREEN_CONCEAL);
		if (blank) {
			for (int i = 0; i < cell.width; i++)
				buf_addc(text, ' ');
			continue;
		}
		for (int i = 0; i < SCREEN_CELL_CHARS && cell.chars[i]; i++) {
			char utf8[4];

			buf_add(text, utf8, utf8_encode(cell.chars[i], utf8));
		}
		end = text->len;
	}
	text->len = end;
	buf_addc(text, '\0');
}

/* Rereads the changed rows: most output changes one row. */
static void refresh(struct screen_text *g)
{
	size_t n = (size_t)screen_rows(g->screen);
	bool resized = n != g->n || g->cols != screen_cols(g->screen);

	g->cols = screen_cols(g->screen);
	if (n != g->n)
		resize(g, n);
	for (size_t i = 0; i < n; i++) {
		struct row *r = &g->row[i];
		uint64_t hash = screen_row_hash(g->screen, (int)i);

		if (!resized && hash == r->hash)
			continue;
		r->hash = hash;
		for (int w = 0; w < VARIANTS; w++) {
			render_row(g, (int)i, (enum variant)w);
			g->rows[w][i] = r->text[w].data;
		}
	}
}

void screen_text_view(struct screen_text *g, struct screen_view *out)
{
	const struct screen_modes *m = screen_modes(g->screen);
	uint64_t revision = screen_revision(g->screen);

	if (g->n == 0 || revision != g->revision)
		refresh(g);
	g->revision = revision;
	*out = (struct screen_view){
	    .rows = g->rows[ALL],
	    .solid = g->rows[SOLID],
	    .lit = g->rows[LIT],
	    .nrows = g->n,
	    .cols = screen_cols(g->screen),
	    .cursor_visible = m->cursor_visible,
	    .bracketed_paste = m->bracketed_paste,
	    .altscreen = m->altscreen,
	    .updating = m->sync,
	    .synchronized = screen_updates(g->screen) > 0,
	    .title = screen_title(g->screen),
	};
	screen_cursor(g->screen, &out->cursor_col, &out->cursor_row);
}
