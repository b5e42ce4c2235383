/*
 * text.c - converts cells to text. Whatever a cell holds, control bytes are
 * written only for SGR sequences and links.
 */
#include "screen/model.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

bool text_cell_char(uint32_t cp)
{
	if (cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp > 0x10ffff ||
	    (cp >= 0xd800 && cp <= 0xdfff))
		return false;
	if (cp < 0x300)
		return true;
	/* Joiners and tags make up emoji; the bidi controls do not. */
	return cp == 0x200c || cp == 0x200d ||
	       (cp >= 0xe0020 && cp <= 0xe007f) ||
	       (cp >= 0xfe00 && cp <= 0xfe0f) || !utf8_cp_unsafe(cp);
}

/* A row of this many bytes gets no more links: each could have 2 KiB. */
#define LINKS_MAX 8192

void text_cells(const struct model *m, const struct screen_cell *cells, int n,
		struct pen *pen, struct buf *out)
{
	size_t before = out->len;

	for (int i = 0; i < n; i++) {
		const struct screen_cell *c = &cells[i];
		struct pen want = {c->attrs, c->fg, c->bg};

		if (c->width == 0)
			continue;
		if (pen && (want.attrs != pen->attrs || want.fg != pen->fg ||
			    want.bg != pen->bg)) {
			if (out->len - before > LINKS_MAX)
				want.attrs &= 0xff;
			sgr_change(m, pen, &want, out);
		}
		if (c->chars[0] == 0) {
			buf_addc(out, ' ');
			continue;
		}
		for (int k = 0; k < SCREEN_CELL_CHARS && c->chars[k]; k++) {
			char u[4];

			buf_add(out, u, utf8_encode(c->chars[k], u));
		}
	}
}

int text_trim(const struct screen_cell *cells, int n, bool colours)
{
	const int visible = SCREEN_UNDERLINE | SCREEN_REVERSE | SCREEN_STRIKE;

	for (; n > 0; n--) {
		const struct screen_cell *c = &cells[n - 1];

		if (c->width == 0 || (c->chars[0] && c->chars[0] != ' ') ||
		    c->chars[1])
			break;
		if (colours && (c->bg || c->attrs & visible))
			break;
	}
	return n;
}

struct screen_cell *text_row(const struct screen *s, bool main, int row, int *n)
{
	const struct model *m = s->model;
	const struct cell *from;
	struct screen_cell *cells;

	*n = 0;
	if (row >= s->rows || row < -s->history.n)
		return mem_alloc(sizeof(*cells));
	if (row < 0) {
		*n = history_get(&s->history, -row - 1, NULL, 0);
		cells = mem_alloc(((size_t)*n + 1) * sizeof(*cells));
		history_get(&s->history, -row - 1, cells, *n);
		return cells;
	}
	*n = s->cols;
	cells = mem_alloc((size_t)*n * sizeof(*cells));
	from = (main ? &m->main : m->grid)->row[row];
	for (int x = 0; x < s->cols; x++)
		grid_convert(m, &from[x], &cells[x]);
	return cells;
}
