/*
 * text.c - cells to text. Whatever a cell holds, no control byte comes out
 * but those of the SGR sequences that are written here.
 */
#include "screen/internal.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

static void sgr_colour(uint32_t c, int base, struct buf *out)
{
	unsigned i = c & 255;

	if (c >> 24 == SCREEN_COLOR_RGB >> 24)
		buf_addf(out, ";%d;2;%u;%u;%u", base + 8, c >> 16 & 255,
			 c >> 8 & 255, i);
	else if (c >> 24 != SCREEN_COLOR_INDEX >> 24)
		return;
	else if (i < 8)
		buf_addf(out, ";%u", (unsigned)base + i);
	else if (i < 16)
		buf_addf(out, ";%u", (unsigned)base + 60 + i - 8);
	else
		buf_addf(out, ";%d;5;%u", base + 8, i);
}

void text_sgr(const struct pen *p, struct buf *out)
{
	static const struct {
		uint16_t attr;
		char code;
	} codes[] = {
	    {SCREEN_BOLD, '1'},	   {SCREEN_DIM, '2'},
	    {SCREEN_ITALIC, '3'},  {SCREEN_UNDERLINE, '4'},
	    {SCREEN_BLINK, '5'},   {SCREEN_REVERSE, '7'},
	    {SCREEN_CONCEAL, '8'}, {SCREEN_STRIKE, '9'},
	};

	buf_adds(out, "\033[0");
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++) {
		if (p->attrs & codes[i].attr) {
			buf_addc(out, ';');
			buf_addc(out, codes[i].code);
		}
	}
	sgr_colour(p->fg, 30, out);
	sgr_colour(p->bg, 40, out);
	buf_addc(out, 'm');
}

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

void text_cells(const struct screen_cell *cells, int n, struct pen *pen,
		struct buf *out)
{
	for (int i = 0; i < n; i++) {
		const struct screen_cell *c = &cells[i];
		struct pen want = {c->attrs, c->fg, c->bg};

		if (c->width == 0)
			continue;
		if (pen && (want.attrs != pen->attrs || want.fg != pen->fg ||
			    want.bg != pen->bg)) {
			text_sgr(&want, out);
			*pen = want;
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
	model_row(s->model, main, row, cells);
	return cells;
}
