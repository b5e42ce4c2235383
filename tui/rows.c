/* rows.c - a list, and the words of the chosen one. */
#include "tui/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tui/keys.h"
#include "tui/layout.h"
#include "tui/mouse.h"
#include "tui/tui.h"

#define AGE_COLS 5
#define AGE_MS	 5000 /* how long one stands in the picture */

void rows_clear(struct rows *rows)
{
	for (size_t i = 0; i < rows->n; i++) {
		free(rows->v[i].name);
		free(rows->v[i].note);
		free(rows->v[i].text);
		free(rows->v[i].title);
	}
	free(rows->v);
	rows->v = NULL;
	rows->n = 0;
}

struct row_text *rows_add(struct rows *rows, const char *key)
{
	struct row_text *r;

	rows->v = mem_realloc(rows->v, (rows->n + 1) * sizeof *rows->v);
	r = &rows->v[rows->n++];
	*r = (struct row_text){0};
	snprintf(r->key, sizeof r->key, "%s", key);
	return r;
}

static void choose(struct rows *rows, size_t at)
{
	rows->at = at < rows->n ? at : rows->n ? rows->n - 1 : 0;
	rows->key[0] = '\0';
	if (rows->n)
		memcpy(rows->key, rows->v[rows->at].key, ROW_KEY);
}

void rows_settle(struct rows *rows)
{
	size_t at = rows->at;

	for (size_t i = 0; i < rows->n; i++)
		if (strcmp(rows->v[i].key, rows->key) == 0)
			at = i;
	choose(rows, at);
}

const struct row_text *rows_chosen(const struct rows *rows)
{
	return rows->n ? &rows->v[rows->at] : NULL;
}

static void draw_row(const struct row_text *w, int row, const struct rect *r,
		     int names, int notes, bool chosen)
{
	struct style st = chosen ? (struct style){.attrs = SCREEN_REVERSE}
				 : (struct style){0};
	int64_t age = clock_wall_ms() - w->since;
	int col = r->col + 2;
	char old[24];

	clock_age(age > 0 ? age : 0, old, sizeof old);
	paint_fill(row, r->col, r->cols, st);
	paint_text(row, r->col, 2, chosen ? "> " : "  ", st);
	paint_text(row, col, AGE_COLS - 1, old, st);
	col += AGE_COLS;
	paint_text(row, col, names, w->name, st);
	col += names + 1;
	paint_text(row, col, notes, w->note, st);
	col += notes + 1;
	paint_text(row, col, r->col + r->cols - col, w->text, st);
}

static void draw_text(const struct row_text *w, const struct rect *r)
{
	struct rect in = {r->row + 1, r->col, r->rows - 1, r->cols};

	char *title = mem_printf(" %s ", w->title);

	paint_line(r->row, r->col, r->cols);
	paint_look(r->row, r->col + 2, r->cols - 4, title, LOOK_STRONG);
	free(title);
	paint_wrapped(&in, w->text, LOOK_PLAIN);
}

static void widen(int *width, const char *text, int most)
{
	int w = paint_width(text);

	if (w > *width)
		*width = w < most ? w : most;
}

void rows_draw(struct tui *t, struct rows *rows, const struct rect *r,
	       const char *nothing)
{
	int shown = r->rows / 2, names = 4, notes = 1;
	struct rect text = *r;

	if (!rows->n) {
		paint_look(r->row + 1, r->col + 2, r->cols - 4, nothing,
			   LOOK_PLAIN);
		return;
	}
	if (rows->n < (size_t)shown)
		shown = (int)rows->n;
	for (size_t i = 0; i < rows->n; i++) {
		widen(&names, rows->v[i].name, r->cols / 3);
		widen(&notes, rows->v[i].note, r->cols / 4);
	}
	rows->top =
	    layout_scroll(rows->top, rows->at, rows->n, (size_t)shown);
	rows->row = r->row;
	rows->shown = shown;
	for (int i = 0; i < shown && rows->top + (size_t)i < rows->n; i++)
		draw_row(&rows->v[rows->top + (size_t)i], r->row + i, r, names,
			 notes, rows->top + (size_t)i == rows->at);
	tui_lasts(t, AGE_MS);
	text.row += shown;
	text.rows -= shown;
	draw_text(&rows->v[rows->at], &text);
}

bool rows_key(struct rows *rows, struct key k)
{
	if (k.kind == KEY_KIND_CHAR && k.cp == 'n') {
		choose(rows, rows->at + 1);
		return true;
	}
	switch (keys_act(k)) {
	case ACT_DOWN:
		choose(rows, rows->at + 1);
		return true;
	case ACT_UP:
		choose(rows, rows->at ? rows->at - 1 : 0);
		return true;
	case ACT_FIRST:
		choose(rows, 0);
		return true;
	case ACT_LAST:
		choose(rows, rows->n);
		return true;
	default:
		return false;
	}
}

bool rows_mouse(struct rows *rows, const struct mouse *m)
{
	size_t at = rows->top + (size_t)(m->row - rows->row);

	if (mouse_wheel(m) && (rows->at || m->what == MOUSE_DOWN))
		choose(rows, rows->at + (size_t)mouse_wheel(m));
	if (m->row < rows->row || m->row >= rows->row + rows->shown ||
	    at >= rows->n)
		return false;
	if (m->what == MOUSE_PRESS) {
		rows->again = at == rows->at;
		choose(rows, at);
	}
	return m->what == MOUSE_DOUBLE && rows->again && at == rows->at;
}
