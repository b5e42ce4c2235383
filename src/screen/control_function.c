/*
 * control_function.c - the ESC and CSI sequences that draw or move the cursor.
 * The modes that they share with the rest (origin, insert, region) were set in
 * struct screen before a sequence comes here.
 */
#include "screen/model.h"

#include <string.h>

#include "screen/csi.h"

/* A count: at least 1. */
static int count(const struct csi *c, int i)
{
	int n = csi_arg(c, i, 1);

	return n > 0 ? n : 1;
}

static void move_to(struct model *m, int x, int y)
{
	const struct screen *s = m->s;

	if (s->origin) {
		y += s->top;
		y = y > s->bottom ? s->bottom : y;
	}
	model_goto(m, x, y);
}

/* Up and down stop at the region's edge, if they start inside. */
static void move_by(struct model *m, int dx, int dy)
{
	const struct screen *s = m->s;
	int y = m->y + dy;

	if (dy < 0 && m->y >= s->top && y < s->top)
		y = s->top;
	if (dy > 0 && m->y <= s->bottom && y > s->bottom)
		y = s->bottom;
	model_goto(m, m->x + dx, y);
}

static void erase_display(struct model *m, int how)
{
	int from = how == 0 ? m->y + 1 : 0;
	int to = how == 1 ? m->y : m->rows;

	if (how > 2)
		return;
	if (how == 2 || (how == 0 && m->x == 0 && m->y == 0)) {
		model_wipe(m);
		m->s->history.scrolled = 0;
	}
	if (how == 0)
		grid_erase(m, m->y, m->x, m->cols);
	else if (how == 1)
		grid_erase(m, m->y, 0, m->x + 1);
	for (int y = from; y < to; y++)
		grid_blank(m, m->grid->row[y], m->cols);
	m->wrap = false;
}

static void erase_line(struct model *m, int how)
{
	if (how > 2)
		return;
	grid_erase(m, m->y, how == 0 ? m->x : 0, how == 1 ? m->x + 1 : m->cols);
	m->wrap = false;
}

static void lines(struct model *m, int n, bool insert)
{
	const struct screen *s = m->s;

	if (m->y < s->top || m->y > s->bottom)
		return;
	if (insert)
		grid_scroll_down(m, m->y, s->bottom, n);
	else
		model_scroll_up(m, m->y, s->bottom, n, false);
	m->x = 0;
	m->wrap = false;
}

static void clear_tabs(struct model *m, int how)
{
	if (how == 0)
		m->tabs[m->x] = 0;
	else if (how == 3)
		memset(m->tabs, 0, (size_t)m->cols);
}

static void repeat(struct model *m, int n)
{
	int most = m->cols * m->rows;

	if (!m->last)
		return;
	/* A screenful is enough, as long as it ends in the same column. */
	for (n = n < most ? n : most + n % m->cols; n > 0; n--)
		model_put_char(m, m->last);
}

static void private_mode(struct model *m, int mode, bool on)
{
	switch (mode) {
	case 6:
		move_to(m, 0, 0);
		break;
	case 47:
	case 1047:
		model_alt(m, on);
		break;
	case 1048:
		if (on)
			model_save(m);
		else
			model_restore(m);
		break;
	case 1049:
		if (on == (m->grid == &m->alt))
			break;
		if (on)
			model_save(m);
		model_alt(m, on);
		if (!on)
			model_restore(m);
		break;
	default:
		break;
	}
}

static void scroll(struct model *m, int n, bool up)
{
	const struct screen *s = m->s;

	if (up)
		model_scroll_up(m, s->top, s->bottom, n,
				s->top == 0 && m->grid == &m->main);
	else
		grid_scroll_down(m, s->top, s->bottom, n);
}

/* Handles the functions that move the cursor; false if c is not one. */
static bool move(struct model *m, const struct csi *c)
{
	int n = count(c, 0);

	switch (c->final) {
	case 'A':
		move_by(m, 0, -n);
		return true;
	case 'B':
	case 'e':
		move_by(m, 0, n);
		return true;
	case 'C':
	case 'a':
		move_by(m, n, 0);
		return true;
	case 'D':
		move_by(m, -n, 0);
		return true;
	case 'E':
		move_by(m, -m->x, n);
		return true;
	case 'F':
		move_by(m, -m->x, -n);
		return true;
	case 'G':
	case '`':
		model_goto(m, n - 1, m->y);
		return true;
	case 'd':
		move_to(m, m->x, n - 1);
		return true;
	case 'H':
	case 'f':
		move_to(m, count(c, 1) - 1, n - 1);
		return true;
	case 'I':
		model_tab(m, n);
		return true;
	case 'Z':
		model_tab(m, -n);
		return true;
	case 'r':
		move_to(m, 0, 0);
		return true;
	case 's':
		model_save(m);
		return true;
	case 'u':
		model_restore(m);
		return true;
	default:
		return false;
	}
}

static void edit(struct model *m, const struct csi *c)
{
	int n = count(c, 0);

	switch (c->final) {
	case '@':
		grid_insert(m, n);
		m->wrap = false;
		break;
	case 'J':
		erase_display(m, csi_arg(c, 0, 0));
		break;
	case 'K':
		erase_line(m, csi_arg(c, 0, 0));
		break;
	case 'L':
	case 'M':
		lines(m, n, c->final == 'L');
		break;
	case 'P':
		grid_delete(m, n);
		m->wrap = false;
		break;
	case 'S':
	case 'T':
		if (c->final == 'S' || c->n == 1)
			scroll(m, n, c->final == 'S');
		break;
	case 'X':
		grid_erase(m, m->y, m->x,
			   n < m->cols - m->x ? m->x + n : m->cols);
		m->wrap = false;
		break;
	case 'b':
		repeat(m, n);
		break;
	case 'g':
		clear_tabs(m, csi_arg(c, 0, 0));
		break;
	default:
		break;
	}
}

void model_csi(struct model *m, const struct csi *c)
{
	if (c->leader == 0 && strcmp(c->inter, "!") == 0 && c->final == 'p') {
		model_reset(m, false);
		return;
	}
	if (c->inter[0])
		return;
	if (c->leader == '?' && (c->final == 'h' || c->final == 'l')) {
		for (int i = 0; i < c->n; i++)
			private_mode(m, c->arg[i], c->final == 'h');
	} else if (c->leader == '?' && (c->final == 'J' || c->final == 'K')) {
		edit(m, c); /* nothing is ever protected */
	} else if (c->leader == 0 && (c->final == 'h' || c->final == 'l')) {
		for (int i = 0; i < c->n; i++)
			if (c->arg[i] == 20)
				m->newline = c->final == 'h';
	} else if (c->leader == 0 && !move(m, c)) {
		edit(m, c);
	}
}

static void reverse_index(struct model *m)
{
	m->wrap = false;
	if (m->y == m->s->top)
		grid_scroll_down(m, m->s->top, m->s->bottom, 1);
	else if (m->y > 0)
		m->y--;
}

/* DECALN: the screen full of E */
static void alignment(struct model *m)
{
	m->s->top = 0;
	m->s->bottom = m->rows - 1;
	m->s->origin = false;
	model_goto(m, 0, 0);
	for (int y = 0; y < m->rows; y++)
		for (int x = 0; x < m->cols; x++)
			m->grid->row[y][x] = (struct cell){.ch = 'E'};
}

void model_esc(struct model *m, const char *raw, size_t len)
{
	const char *set = "()*+";
	char final = raw[len - 1];

	if (len == 3 && raw[1] == '#' && final == '8')
		alignment(m);
	else if (len == 3 && strchr(set, raw[1]))
		m->charset[strchr(set, raw[1]) - set] = final != '0';
	if (len != 2)
		return;
	switch (final) {
	case '7':
		model_save(m);
		break;
	case '8':
		model_restore(m);
		break;
	case 'D':
		model_linefeed(m);
		break;
	case 'E':
		model_linefeed(m);
		m->x = 0;
		break;
	case 'H':
		m->tabs[m->x] = 1;
		break;
	case 'M':
		reverse_index(m);
		break;
	case 'c':
		model_wipe(m);
		model_reset(m, true);
		break;
	case 'n':
	case 'o':
		m->shift = final == 'n' ? 2 : 3;
		break;
	default:
		break;
	}
}
