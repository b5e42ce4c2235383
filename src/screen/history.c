/*
 * history.c - the lines that scrolled off the top, newest last, in a ring.
 *
 * There is one supervisor for each session, so a line is kept as its UTF-8
 * and runs of attributes, not as cells: about a tenth of the size. In the
 * text, MARK_WIDE precedes a character of two columns and MARK_JOIN precedes
 * one that shares the cell of the character before it, so that reading it needs
 * no table of widths. Both the number of lines and the bytes
 * are bounded, except while the main screen is resized: its rows are put behind
 * the lines, all are cut again for the new width, and the last ones taken out.
 */
#include "screen/model.h"

#include <limits.h>
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
	uint16_t runs;
	uint16_t columns : 15, wraps : 1; /* the next line continues it */
	struct run run[];		  /* then the text */
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

static size_t ring_size(const struct history *h)
{
	return (size_t)h->max + SCREEN_MAX_ROWS;
}

static struct history_line **place_of(const struct history *h, int index)
{
	return &h->ring[(size_t)(h->first + h->n - 1 - index) % ring_size(h)];
}

static struct history_line *take_oldest(struct history *h)
{
	struct history_line *l = h->ring[h->first];

	h->bytes -= line_bytes(l);
	h->first = (int)((size_t)(h->first + 1) % ring_size(h));
	h->n--;
	return l;
}

static void drop_oldest(struct history *h)
{
	free(take_oldest(h));
}

static void append(struct history *h, struct history_line *l)
{
	if (!h->ring)
		h->ring = mem_alloc(ring_size(h) * sizeof(h->ring[0]));
	if ((size_t)h->n == ring_size(h))
		drop_oldest(h);
	h->bytes += line_bytes(l);
	h->n++;
	*place_of(h, 0) = l;
}

void history_limit(struct history *h)
{
	while (h->n > h->max || (h->n > 1 && h->bytes > h->max_bytes))
		drop_oldest(h);
}

void history_clear(struct history *h)
{
	while (h->n)
		drop_oldest(h);
	h->scrolled = 0;
}

void history_finish(struct history *h)
{
	history_clear(h);
	free(h->ring);
	h->ring = NULL;
	buf_finish(&h->text);
	buf_finish(&h->runs);
}

static void add_char(struct buf *text, uint32_t cp)
{
	char u[4];

	buf_add(text, u, utf8_encode(cp, u));
}

static void add_text(struct buf *text, const struct model *m,
		     const struct cell *c)
{
	struct screen_cell whole;

	if (c->part == CELL_LEFT)
		buf_addc(text, MARK_WIDE);
	if (!(c->ch & CELL_CLUSTER)) {
		add_char(text, c->ch ? c->ch : ' ');
		return;
	}
	grid_convert(m, c, &whole);
	add_char(text, whole.chars[0]);
	for (int k = 1; k < SCREEN_CELL_CHARS && whole.chars[k]; k++) {
		buf_addc(text, MARK_JOIN);
		add_char(text, whole.chars[k]);
	}
}

static bool alike(const struct cell *a, const struct cell *b)
{
	return ((a->fg ^ b->fg) | (a->bg ^ b->bg) |
		(uint32_t)(a->attrs ^ b->attrs)) == 0;
}

/* Writes those of n cells that look like the first and are ASCII; how many. */
static int put_ascii(char *to, const struct cell *c, int n)
{
	/* A copy: to the compiler, each byte written could change *c. */
	const struct cell first = *c;
	int i = 0;

	for (; i < n && c[i].ch < 0x80 && c[i].part == CELL_SINGLE; i++) {
		if (!alike(&c[i], &first))
			break;
		to[i] = c[i].ch ? (char)c[i].ch : ' ';
	}
	return i;
}

/* Fills the scratch buffers of h. */
static void pack(struct history *h, const struct model *m,
		 const struct cell *cells, int n)
{
	struct buf *text = &h->text;

	buf_clear(text);
	buf_clear(&h->runs);
	for (int i = 0, len; i < n; i += len) {
		const struct cell *c = &cells[i];
		int written;

		/* ASCII, which most is, goes the short way. */
		len = put_ascii(buf_room(text, (size_t)(n - i)), c, n - i);
		text->len += (size_t)len;
		written = len;
		for (; i + len < n && alike(&c[len], c); len++) {
			if (c[len].part == CELL_RIGHT)
				continue;
			add_text(text, m, &c[len]);
			written++;
		}
		struct run r = {(uint16_t)written, c->attrs, c->fg, c->bg};

		buf_add(&h->runs, &r, sizeof(r));
	}
}

static int trim(const struct cell *cells, int n)
{
	const int shown = SCREEN_UNDERLINE | SCREEN_REVERSE | SCREEN_STRIKE;

	while (n > 0 && (cells[n - 1].ch == 0 || cells[n - 1].ch == ' ') &&
	       cells[n - 1].part == CELL_SINGLE && cells[n - 1].bg == 0 &&
	       !(cells[n - 1].attrs & shown))
		n--;
	return n;
}

/* Appends a line of this text and these runs. */
static struct history_line *add_line(struct history *h, const struct run *runs,
				     size_t n, const char *text, size_t len)
{
	struct history_line *l =
	    mem_realloc(NULL, sizeof(*l) + n * sizeof(*runs) + len);

	l->text_len = (uint32_t)len;
	l->runs = (uint16_t)n;
	if (n)
		memcpy(l->run, runs, n * sizeof(*runs));
	if (len)
		memcpy((char *)(l->run + n), text, len);
	append(h, l);
	return l;
}

void history_add(struct history *h, const struct model *m,
		 const struct cell *cells, int n, int keep)
{
	struct history_line *l;
	bool wraps = cells[n - 1].wraps;
	int used = trim(cells, n);

	/* Blanks that were written belong to a line that continues. */
	if (wraps || used < keep)
		for (used = wraps ? n : keep; used > 0; used--)
			if (cells[used - 1].ch || cells[used - 1].bg ||
			    cells[used - 1].part != CELL_SINGLE)
				break;
	pack(h, m, cells, used);
	l = add_line(h, (const struct run *)h->runs.data,
		     h->runs.len / sizeof(struct run), h->text.data,
		     h->text.len);
	l->columns = (uint16_t)used & 0x7fff;
	l->wraps = wraps;
}

void history_push(struct history *h, const struct model *m,
		  const struct cell *cells, int n)
{
	if (h->max == 0)
		return;
	history_add(h, m, cells, n, 0);
	h->scrolled++;
	history_limit(h);
}

/* One cell's text; returns where the next one starts. */
static const char *unpack(const char *p, const char *end, struct screen_cell *c)
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
	const struct history_line *l = *place_of(h, index);
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

void history_each_attrs(struct history *h,
			void (*fn)(void *ctx, uint16_t *attrs), void *ctx)
{
	for (int i = 0; i < h->n; i++) {
		struct history_line *l = *place_of(h, i);

		for (int r = 0; r < l->runs; r++)
			fn(ctx, &l->run[r].attrs);
	}
}

/* -- another width --------------------------------------------------------- */

/* Where the cursor is, while lines are cut. */
struct mark {
	int column; /* in the joined line; -1: not in this one */
	int lines;  /* made so far */
	int line;   /* in which of them it is, … */
	int at;	    /* … in which column */
};

static void end_line(struct history_line *l, int columns, bool wraps,
		     struct mark *mark)
{
	l->columns = (uint16_t)columns & 0x7fff;
	l->wraps = wraps;
	mark->lines++;
}

/* Cuts the line in the scratch buffers, as a terminal wraps it. */
static void cut(struct history *h, int cols, bool wraps, struct mark *mark)
{
	const char *p = h->text.data, *from = p, *end = p + h->text.len;
	struct run *r = (struct run *)h->runs.data, *first = r;
	struct run *behind = r + h->runs.len / sizeof(*r);
	int col = 0, total = 0;

	for (; r < behind; r++) {
		for (int i = 0; i < r->cells; i++) {
			struct screen_cell c = {0};
			const char *next = unpack(p, end, &c);

			if (col > 0 && col + c.width > cols) {
				struct run rest = *r;

				rest.cells = (uint16_t)(r->cells - i);
				r->cells = (uint16_t)i;
				end_line(add_line(h, first,
						  (size_t)(r - first) + (i > 0),
						  from, (size_t)(p - from)),
					 col, true, mark);
				*r = rest;
				first = r;
				from = p;
				i = col = 0;
			}
			if (mark->column >= total &&
			    mark->column < total + c.width) {
				mark->line = mark->lines;
				mark->at = col + mark->column - total;
			}
			col += c.width;
			total += c.width;
			p = next;
		}
	}
	if (mark->column >= total) {
		mark->line = mark->lines;
		mark->at = col;
	}
	end_line(add_line(h, first, (size_t)(behind - first), from,
			  (size_t)(end - from)),
		 col, wraps, mark);
}

void history_reflow(struct history *h, int cols, int *col, int *index)
{
	struct history old = *h;
	struct mark mark = {.column = -1};
	int width = 0;

	h->ring = NULL;
	h->first = h->n = 0;
	h->bytes = 0;
	buf_clear(&h->text);
	buf_clear(&h->runs);
	while (old.n) {
		struct history_line *l = take_oldest(&old);

		if (old.n == *index)
			mark.column =
			    *col < l->columns ? width + *col : INT_MAX;
		if (width == 0 && !l->wraps && l->columns <= cols &&
		    mark.column < 0) {
			append(h, l);
			mark.lines++;
			continue;
		}
		buf_add(&h->text, line_text(l), l->text_len);
		buf_add(&h->runs, l->run, l->runs * sizeof(l->run[0]));
		width += l->columns;
		if (!l->wraps || old.n == 0) {
			cut(h, cols, l->wraps, &mark);
			buf_clear(&h->text);
			buf_clear(&h->runs);
			mark.column = -1;
			width = 0;
		}
		free(l);
	}
	free(old.ring);
	*index = mark.lines - 1 - mark.line;
	*col = mark.at;
}

bool history_pop(struct history *h)
{
	struct history_line *l = *place_of(h, 0);
	bool wraps = l->wraps;

	h->bytes -= line_bytes(l);
	h->n--;
	free(l);
	return wraps;
}
