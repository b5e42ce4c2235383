/*
 * glass.c - the screen as text rows: all of it, without dim text, and only
 * what is highlighted.
 *
 * Dim text is what harnesses use for placeholders and suggestions; blanking
 * it tells an empty composer from a draft. A highlight is what Enter takes in
 * a menu.
 */
#include "supervisor/glass.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/utf8.h"

struct glass {
	const struct screen *screen;
	uint64_t revision;
	bool fresh;
	struct buf text; /* all rows, each NUL-terminated */
	const char **rows, **solid, **lit;
	size_t *at; /* where each row starts in text */
	size_t cap, n;
};

struct glass *glass_create(const struct screen *screen)
{
	struct glass *g = mem_alloc(sizeof *g);

	g->screen = screen;
	return g;
}

void glass_destroy(struct glass *g)
{
	if (!g)
		return;
	buf_finish(&g->text);
	free(g->rows);
	free(g->solid);
	free(g->lit);
	free(g->at);
	free(g);
}

#define BACKGROUNDS 8 /* in one row; two or three are usual */

enum what { ALL, SOLID, LIT, WHATS };

/* The background that most of a row has; of more than BACKGROUNDS the later
 * ones do not count. */
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

static void put_row(struct glass *g, int row, enum what what)
{
	size_t start = g->text.len, end = start;
	int cols = screen_cols(g->screen);
	uint32_t bg = what == LIT ? common_background(g->screen, row) : 0;
	struct screen_cell cell;

	for (int col = 0; col < cols; col++) {
		bool blank;

		screen_cell(g->screen, col, row, &cell);
		if (cell.width == 0)
			continue;
		blank = cell.chars[0] == 0 || cell.chars[0] == ' ' ||
			(what == SOLID && (cell.attrs & SCREEN_DIM)) ||
			(what == LIT && cell.bg == bg &&
			 !(cell.attrs & SCREEN_REVERSE)) ||
			(cell.attrs & SCREEN_CONCEAL);
		if (blank) {
			for (int i = 0; i < cell.width; i++)
				buf_addc(&g->text, ' ');
			continue;
		}
		for (int i = 0; i < SCREEN_CELL_CHARS && cell.chars[i]; i++) {
			char utf8[4];

			buf_add(&g->text, utf8,
				utf8_encode(cell.chars[i], utf8));
		}
		end = g->text.len;
	}
	g->text.len = end;
	buf_addc(&g->text, '\0');
}

static void refresh(struct glass *g)
{
	size_t n = (size_t)screen_rows(g->screen);

	if (n > g->cap) {
		g->cap = n;
		g->rows = mem_realloc(g->rows, n * sizeof *g->rows);
		g->solid = mem_realloc(g->solid, n * sizeof *g->solid);
		g->lit = mem_realloc(g->lit, n * sizeof *g->lit);
		g->at = mem_realloc(g->at, WHATS * n * sizeof *g->at);
	}
	g->n = n;
	buf_clear(&g->text);
	for (size_t i = 0; i < WHATS * n; i++) {
		g->at[i] = g->text.len;
		put_row(g, (int)(i % n), (enum what)(i / n));
	}
	for (size_t i = 0; i < n; i++) {
		g->rows[i] = g->text.data + g->at[i];
		g->solid[i] = g->text.data + g->at[SOLID * n + i];
		g->lit[i] = g->text.data + g->at[LIT * n + i];
	}
}

void glass_view(struct glass *g, struct view *out)
{
	const struct screen_modes *m = screen_modes(g->screen);
	uint64_t revision = screen_revision(g->screen);

	if (!g->fresh || revision != g->revision) {
		refresh(g);
		g->revision = revision;
		g->fresh = true;
	}
	*out = (struct view){
	    .rows = g->rows,
	    .solid = g->solid,
	    .lit = g->lit,
	    .nrows = g->n,
	    .cols = screen_cols(g->screen),
	    .cursor_visible = m->cursor_visible,
	    .bracketed_paste = m->bracketed_paste,
	    .altscreen = m->altscreen,
	    .updating = m->sync,
	    .title = screen_title(g->screen),
	};
	screen_cursor(g->screen, &out->cursor_col, &out->cursor_row);
}
