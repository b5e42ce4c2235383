/*
 * print.c - writes text to cells: decodes UTF-8 and executes the control bytes
 * in it. Most output is printable ASCII, so a run of it is copied to the row at
 * once.
 */
#include "screen/model.h"

#include "base/ascii.h"
#include "base/utf8.h"

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

/* The cell before the cursor; NULL in the first column. */
static struct cell *before(struct model *m)
{
	struct cell *c = m->grid->row[m->y];
	int x = m->wrap ? m->x : m->x - 1;

	if (x > 0 && c[x].part == CELL_RIGHT)
		x--;
	return x >= 0 ? &c[x] : NULL;
}

void model_put_char(struct model *m, uint32_t cp)
{
	struct cell *with;
	int width;

	if (!text_cell_char(cp))
		return;
	width = char_width(cp);
	with = width <= 0 || cp >= 0x80 ? before(m) : NULL;
	if (width <= 0 || (with && grid_joins(m, with))) {
		if (with)
			grid_combine(m, with, cp);
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
	grid_repair(m, m->y, m->x, m->x + width);
	struct cell *c = m->grid->row[m->y] + m->x;

	c[0] = m->pen;
	c[0].ch = cp;
	if (width == 2) {
		c[0].part = CELL_LEFT;
		c[1] = m->pen;
		c[1].part = CELL_RIGHT;
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
		grid_repair(m, m->y, m->x, m->x + n);
		struct cell *c = m->grid->row[m->y] + m->x;

		grid_fill(c, n, &m->pen);
		for (int i = 0; i < n; i++)
			c[i].ch = (unsigned char)p[i];
		p += n;
		len -= (size_t)n;
		advance(m, n);
	}
	m->last = (unsigned char)p[-1];
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
		if (m->x < m->cols - 1) /* or it would forget to wrap */
			model_tab(m, 1);
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

void model_text(struct model *m, const char *data, size_t len)
{
	for (size_t i = 0; i < len;) {
		unsigned char c = (unsigned char)data[i];
		uint32_t cp;

		if (c >= 0x80) {
			i += utf8_decode(data + i, len - i, &cp);
			model_put_char(m, cp);
			continue;
		}
		if (c < 0x20 || c == 0x7f) {
			control(m, c);
			i++;
			continue;
		}
		size_t n = ascii_run(data + i, len - i, 0x20, 0x7e, 0x7f, 0x7f);

		if (m->charset[m->shift])
			put_ascii(m, data + i, n);
		else
			for (size_t k = 0; k < n; k++)
				model_put_char(
				    m,
				    line_drawing((unsigned char)data[i + k]));
		i += n;
	}
}
