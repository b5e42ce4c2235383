/*
 * history.c - the lines that scrolled off the top, newest last, in a ring.
 *
 * There is one supervisor for each session, so a line is kept as its UTF-8
 * and runs of attributes, not as cells: about a tenth of the size. In the
 * text, MARK_WIDE stands before a character of two columns and MARK_JOIN
 * before one that shares the cell of the one before it, so that no table of
 * widths is needed to read it back. Both the number of lines and the bytes
 * are bounded.
 */
#include "screen/internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define MARK_WIDE      0x01
#define MARK_JOIN      0x02
#define BYTES_PER_LINE 1024 /* on average, at most */

struct run {
	uint16_t cells; /* as they are written: a wide one counts 1 */
	uint16_t attrs;
	uint32_t fg, bg;
};

struct history_line {
	uint32_t text_len;
	uint16_t columns, runs;
	struct run run[]; /* then the text */
};

void history_init(struct history *h, int max)
{
	*h = (struct history){.max = max > 0 ? max : 0};
	h->max_bytes = (size_t)h->max * BYTES_PER_LINE;
}

static size_t line_bytes(const struct history_line *l)
{
	return sizeof(*l) + l->runs * sizeof(l->run[0]) + l->text_len;
}

static const char *line_text(const struct history_line *l)
{
	return (const char *)(l->run + l->runs);
}

static void drop_oldest(struct history *h)
{
	struct history_line *l = h->ring[h->first];

	h->bytes -= line_bytes(l);
	free(l);
	h->ring[h->first] = NULL;
	h->first = (h->first + 1) % h->max;
	h->n--;
}

void history_clear(struct history *h)
{
	while (h->n)
		drop_oldest(h);
}

void history_finish(struct history *h)
{
	history_clear(h);
	free(h->ring);
	h->ring = NULL;
}

static void add_text(struct buf *text, const struct screen_cell *c)
{
	char u[4];

	if (c->width == 2)
		buf_addc(text, MARK_WIDE);
	if (c->chars[0] == 0)
		buf_addc(text, ' ');
	for (int k = 0; k < SCREEN_CELL_CHARS && c->chars[k]; k++) {
		if (k)
			buf_addc(text, MARK_JOIN);
		buf_add(text, u, utf8_encode(c->chars[k], u));
	}
}

static struct history_line *pack(const struct screen_cell *cells, int n)
{
	struct buf text = {0}, runs = {0};
	struct run now = {0};
	struct history_line *l;
	size_t count;

	for (int i = 0; i < n; i++) {
		const struct screen_cell *c = &cells[i];

		if (c->width == 0)
			continue;
		if (now.cells && (now.attrs != c->attrs || now.fg != c->fg ||
				  now.bg != c->bg)) {
			buf_add(&runs, &now, sizeof(now));
			now.cells = 0;
		}
		now = (struct run){(uint16_t)(now.cells + 1), c->attrs, c->fg,
				   c->bg};
		add_text(&text, c);
	}
	if (now.cells)
		buf_add(&runs, &now, sizeof(now));
	count = runs.len / sizeof(now);
	l = mem_alloc(sizeof(*l) + runs.len + text.len);
	l->text_len = (uint32_t)text.len;
	l->columns = (uint16_t)n;
	l->runs = (uint16_t)count;
	if (runs.len)
		memcpy(l->run, runs.data, runs.len);
	if (text.len)
		memcpy(l->run + count, text.data, text.len);
	buf_finish(&text);
	buf_finish(&runs);
	return l;
}

void history_push(struct history *h, const struct screen_cell *cells, int n)
{
	if (h->max == 0)
		return;
	if (!h->ring)
		h->ring = mem_alloc((size_t)h->max * sizeof(h->ring[0]));
	struct history_line *l = pack(cells, text_trim(cells, n, true));

	h->bytes += line_bytes(l);
	if (h->n == h->max)
		drop_oldest(h);
	h->ring[(h->first + h->n++) % h->max] = l;
	while (h->n > 1 && h->bytes > h->max_bytes)
		drop_oldest(h);
}

/* One cell's text; returns where the next one starts. */
static const char *unpack(const char *p, const char *end,
			  struct screen_cell *c)
{
	int k = 0;

	c->width = 1;
	if (p < end && *p == MARK_WIDE) {
		c->width = 2;
		p++;
	}
	do {
		uint32_t cp = 0;

		p += k > 0; /* the mark */
		size_t n = utf8_decode(p, (size_t)(end - p), &cp);

		if (k < SCREEN_CELL_CHARS)
			c->chars[k] = cp;
		k++;
		p += n ? n : 1;
	} while (p < end && *p == MARK_JOIN);
	return p;
}

int history_get(const struct history *h, int index, struct screen_cell *cells,
		int cap)
{
	if (index < 0 || index >= h->n)
		return 0;
	const struct history_line *l =
	    h->ring[(h->first + h->n - 1 - index) % h->max];
	const char *p = line_text(l), *end = p + l->text_len;
	int col = 0;

	if (!cells)
		return l->columns;
	for (int r = 0; r < l->runs; r++) {
		for (int i = 0; i < l->run[r].cells; i++) {
			struct screen_cell c = {.attrs = l->run[r].attrs,
						.fg = l->run[r].fg,
						.bg = l->run[r].bg};

			p = unpack(p, end, &c);
			if (col < cap)
				cells[col] = c;
			col++;
			if (c.width == 2) {
				for (int k = 0; k < SCREEN_CELL_CHARS; k++)
					c.chars[k] = 0;
				c.width = 0;
				if (col < cap)
					cells[col] = c;
				col++;
			}
		}
	}
	return l->columns;
}
