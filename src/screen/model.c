/*
 * model.c - the emulator: text into cells, the cursor, the two screens.
 *
 * An xterm of the kind that programs ask for today: UTF-8, 24-bit colours,
 * an alternate screen, no left and right margins. The modes belong to struct
 * screen, which sequence.c keeps. What costs time is printable ASCII, so it
 * goes into the row in one run.
 */
#include "screen/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

static void set_tabs(struct model *m)
{
	m->tabs = mem_realloc(m->tabs, (size_t)m->cols);
	for (int x = 0; x < m->cols; x++)
		m->tabs[x] = x > 0 && x % 8 == 0;
}

struct model *model_create(struct screen *s)
{
	struct model *m = mem_alloc(sizeof(*m));

	m->s = s;
	m->cols = s->cols;
	m->rows = s->rows;
	grid_init(&m->main, m->cols, m->rows);
	m->grid = &m->main;
	model_reset(m, true);
	return m;
}

void model_destroy(struct model *m)
{
	if (!m)
		return;
	grid_finish(&m->main);
	grid_finish(&m->alt);
	free(m->cluster);
	free(m->tabs);
	free(m);
}

void model_reset(struct model *m, bool hard)
{
	m->pen = (struct cell){.width = 1};
	memset(m->charset, 1, sizeof(m->charset));
	m->shift = 0;
	m->newline = false;
	for (int i = 0; i < 2; i++) {
		m->saved[i] = (struct saved){.pen = m->pen};
		memset(m->saved[i].charset, 1, sizeof(m->charset));
	}
	if (!hard)
		return;
	grid_finish(&m->alt);
	m->grid = &m->main;
	m->x = m->y = 0;
	m->wrap = false;
	m->last = 0;
	for (int y = 0; y < m->rows; y++)
		grid_blank(m, m->main.row[y], m->cols);
	set_tabs(m);
}

void model_goto(struct model *m, int x, int y)
{
	m->x = x < 0 ? 0 : x >= m->cols ? m->cols - 1 : x;
	m->y = y < 0 ? 0 : y >= m->rows ? m->rows - 1 : y;
	m->wrap = false;
}

void model_save(struct model *m)
{
	struct saved *to = &m->saved[m->grid == &m->alt];

	*to = (struct saved){.x = m->x,
			     .y = m->y,
			     .wrap = m->wrap,
			     .origin = m->s->origin,
			     .pen = m->pen,
			     .shift = m->shift};
	memcpy(to->charset, m->charset, sizeof(to->charset));
}

void model_restore(struct model *m)
{
	const struct saved *from = &m->saved[m->grid == &m->alt];

	m->s->origin = from->origin;
	model_goto(m, from->x, from->y);
	if (from->origin && (m->y < m->s->top || m->y > m->s->bottom))
		m->y = m->s->top;
	m->wrap = from->wrap && m->x == m->cols - 1;
	m->pen = from->pen;
	m->shift = from->shift;
	memcpy(m->charset, from->charset, sizeof(m->charset));
}

void model_leave(struct model *m, int row)
{
	if (m->s->ev.leave && m->grid == &m->main)
		m->s->ev.leave(m->s->ev.ctx, row);
	history_push(&m->s->history, m, m->main.row[row], m->cols);
}

void model_wipe(struct model *m)
{
	if (m->s->ev.wipe && m->grid == &m->main)
		m->s->ev.wipe(m->s->ev.ctx);
}

void model_alt(struct model *m, bool on)
{
	if (on == (m->grid == &m->alt))
		return;
	if (on) {
		model_wipe(m);
		grid_init(&m->alt, m->cols, m->rows);
		m->grid = &m->alt;
		for (int y = 0; m->pen.bg && y < m->rows; y++)
			grid_blank(m, m->alt.row[y], m->cols);
	} else {
		grid_finish(&m->alt);
		m->grid = &m->main;
	}
}

/* At the bottom of the region it scrolls; the main screen's top is kept. */
void model_linefeed(struct model *m)
{
	const struct screen *s = m->s;

	m->wrap = false;
	if (m->y == s->bottom)
		grid_scroll_up(m, s->top, s->bottom, 1,
			       s->top == 0 && m->grid == &m->main);
	else if (m->y < m->rows - 1)
		m->y++;
}

static void wrap_line(struct model *m)
{
	if (m->wrap && m->s->modes.autowrap) {
		m->grid->row[m->y][m->cols - 1].wraps = true;
		m->x = 0;
		model_linefeed(m);
	}
	m->wrap = false;
}

/* The cursor moves on behind n columns, or waits at the edge. */
static void advance(struct model *m, int n)
{
	m->x += n;
	if (m->x >= m->cols) {
		m->x = m->cols - 1;
		m->wrap = true;
	}
}

static uint32_t line_drawing(uint32_t c)
{
	static const uint16_t map[] = {
	    0x25c6, 0x2592, 0x2409, 0x240c, 0x240d, 0x240a, 0x00b0, 0x00b1,
	    0x2424, 0x240b, 0x2518, 0x2510, 0x250c, 0x2514, 0x253c, 0x23ba,
	    0x23bb, 0x2500, 0x23bc, 0x23bd, 0x251c, 0x2524, 0x2534, 0x252c,
	    0x2502, 0x2264, 0x2265, 0x03c0, 0x2260, 0x00a3, 0x00b7,
	};

	if (c == 0x5f)
		return ' ';
	return c >= 0x60 && c <= 0x7e ? map[c - 0x60] : c;
}

static int char_width(uint32_t cp)
{
	/* Latin, Greek, Cyrillic; lines and blocks: not worth a search */
	if (cp < 0x300 || (cp >= 0x370 && cp < 0x483) ||
	    (cp >= 0x2500 && cp < 0x25fd))
		return 1;
	return utf8_cp_width(cp);
}

static void combine(struct model *m, uint32_t cp)
{
	struct cell *c = m->grid->row[m->y];
	int x = m->wrap ? m->x : m->x - 1;

	if (x > 0 && c[x].width == 0)
		x--;
	if (x >= 0)
		grid_combine(m, &c[x], cp);
}

void model_put(struct model *m, uint32_t cp)
{
	int width;

	if (!text_cell_char(cp))
		return;
	width = char_width(cp);
	if (width <= 0) {
		combine(m, cp);
		return;
	}
	wrap_line(m);
	if (m->x + width > m->cols) {
		if (!m->s->modes.autowrap)
			return;
		m->wrap = true;
		wrap_line(m);
	}
	if (m->s->insert)
		grid_insert(m, width);
	grid_mend(m, m->y, m->x, m->x + width);
	struct cell *c = m->grid->row[m->y] + m->x;

	c[0] = m->pen;
	c[0].ch = cp;
	c[0].width = (uint8_t)width;
	if (width == 2) {
		c[1] = m->pen;
		c[1].width = 0;
	}
	m->last = cp;
	advance(m, width);
}

/* A run of printable ASCII. */
static void put_ascii(struct model *m, const char *p, size_t len)
{
	while (len) {
		wrap_line(m);
		int n = m->cols - m->x;

		n = (size_t)n > len ? (int)len : n;
		if (m->s->insert)
			grid_insert(m, n);
		grid_mend(m, m->y, m->x, m->x + n);
		struct cell *c = m->grid->row[m->y] + m->x, pen = m->pen;

		for (int i = 0; i < n; i++) {
			c[i] = pen;
			c[i].ch = (unsigned char)p[i];
		}
		p += n;
		len -= (size_t)n;
		advance(m, n);
	}
	m->last = (unsigned char)p[-1];
}

static void tab(struct model *m)
{
	int x = m->x + 1;

	while (x < m->cols - 1 && !m->tabs[x])
		x++;
	if (m->x < m->cols - 1)
		model_goto(m, x, m->y);
}

static void control(struct model *m, unsigned char c)
{
	switch (c) {
	case '\a':
		if (m->s->ev.bell)
			m->s->ev.bell(m->s->ev.ctx);
		break;
	case '\b':
		model_goto(m, m->x - 1, m->y);
		break;
	case '\t':
		tab(m);
		break;
	case '\n':
	case '\v':
	case '\f':
		model_linefeed(m);
		if (m->newline)
			m->x = 0;
		break;
	case '\r':
		m->x = 0;
		m->wrap = false;
		break;
	case 0x0e:
	case 0x0f:
		m->shift = c == 0x0e;
		break;
	default:
		break;
	}
}

/* A lead byte; its second byte may be in u_low..u_high only. */
static void utf8_begin(struct model *m, unsigned char c)
{
	m->u_low = c == 0xe0 ? 0xa0 : c == 0xf0 ? 0x90 : 0x80;
	m->u_high = c == 0xed ? 0x9f : c == 0xf4 ? 0x8f : 0xbf;
	if (c >= 0xc2 && c <= 0xdf) {
		m->u_need = 1;
		m->u_cp = c & 0x1f;
	} else if (c >= 0xe0 && c <= 0xef) {
		m->u_need = 2;
		m->u_cp = c & 0x0f;
	} else if (c >= 0xf0 && c <= 0xf4) {
		m->u_need = 3;
		m->u_cp = c & 0x07;
	} else {
		model_put(m, 0xfffd);
	}
}

void model_text_end(struct model *m)
{
	if (m->u_need) {
		m->u_need = 0;
		model_put(m, 0xfffd);
	}
}

static void high_byte(struct model *m, unsigned char c)
{
	if (m->u_need && (c < m->u_low || c > m->u_high))
		model_text_end(m);
	if (m->u_need == 0) {
		utf8_begin(m, c);
		return;
	}
	m->u_cp = m->u_cp << 6 | (c & 0x3f);
	m->u_low = 0x80;
	m->u_high = 0xbf;
	if (--m->u_need == 0)
		model_put(m, m->u_cp);
}

static size_t ascii_run(const char *p, size_t len)
{
	size_t n = 0;

	while (n < len && p[n] >= 0x20 && p[n] < 0x7f)
		n++;
	return n;
}

void model_text(struct model *m, const char *data, size_t len)
{
	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)data[i];

		if (c >= 0x80) {
			high_byte(m, c);
			i++;
			continue;
		}
		model_text_end(m);
		if (c < 0x20 || c == 0x7f) {
			control(m, c);
			i++;
			continue;
		}
		size_t n = ascii_run(data + i, len - i);

		if (m->charset[m->shift])
			put_ascii(m, data + i, n);
		else
			for (size_t k = 0; k < n; k++)
				model_put(m, line_drawing(
						 (unsigned char)data[i + k]));
		i += n;
	}
}

static void clamp_saved(struct model *m)
{
	for (int i = 0; i < 2; i++) {
		struct saved *s = &m->saved[i];

		s->x = s->x < m->cols ? s->x : m->cols - 1;
		s->y = s->y < m->rows ? s->y : m->rows - 1;
	}
}

void model_resize(struct model *m, int cols, int rows)
{
	bool alt = m->grid == &m->alt;
	/* The main screen's cursor, so that its row stays in sight. */
	int y = alt ? m->saved[0].y : m->y;
	int skip = y >= rows ? y - rows + 1 : 0;

	for (int i = 0; i < skip; i++)
		model_leave(m, i);
	grid_resize(&m->main, m->cols, m->rows, cols, rows, skip);
	m->saved[0].y -= m->saved[0].y < skip ? m->saved[0].y : skip;
	if (alt) {
		skip = m->y >= rows ? m->y - rows + 1 : 0;
		grid_resize(&m->alt, m->cols, m->rows, cols, rows, skip);
	}
	m->cols = cols;
	m->rows = rows;
	model_goto(m, m->x, m->y - skip);
	clamp_saved(m);
	set_tabs(m);
}

void model_cursor(const struct model *m, int *col, int *row)
{
	*col = m->x;
	*row = m->y;
}

void model_main_cursor(const struct model *m, int *col, int *row)
{
	bool alt = m->grid == &m->alt;

	*col = alt ? m->saved[0].x : m->x;
	*row = alt ? m->saved[0].y : m->y;
}

void model_row(const struct model *m, bool main, int row,
	       struct screen_cell *out)
{
	const struct cell *c = (main ? &m->main : m->grid)->row[row];

	for (int x = 0; x < m->cols; x++)
		grid_convert(m, &c[x], &out[x]);
}

bool model_row_wraps(const struct model *m, int row)
{
	return m->grid->row[row][m->cols - 1].wraps;
}

void model_cell(const struct model *m, int col, int row,
		struct screen_cell *out)
{
	grid_convert(m, &m->grid->row[row][col], out);
}

void model_pen(const struct model *m, struct pen *out)
{
	*out = (struct pen){m->pen.attrs, m->pen.fg, m->pen.bg};
}

bool model_wraps(const struct model *m)
{
	return m->wrap;
}

bool model_line_drawing(const struct model *m)
{
	return m->charset[m->shift] == 0;
}
