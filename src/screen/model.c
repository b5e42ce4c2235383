/*
 * model.c - the emulator: the cursor and the two screens.
 *
 * An xterm of the kind that programs ask for today: UTF-8, 24-bit colours,
 * an alternate screen, no left and right margins. The modes belong to struct
 * screen, which sequence.c keeps. Text comes by print.c.
 */
#include "screen/model.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

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
	decoration_finish(m);
	free(m->tabs);
	free(m);
}

void model_reset(struct model *m, bool hard)
{
	m->pen = (struct cell){0};
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
	grid_finish(&m->main);
	grid_init(&m->main, m->cols, m->rows);
	m->grid = &m->main;
	m->x = m->y = 0;
	m->wrap = false;
	m->last = 0;
	set_tabs(m);
}

void model_goto(struct model *m, int x, int y)
{
	m->x = x < 0 ? 0 : x >= m->cols ? m->cols - 1 : x;
	m->y = y < 0 ? 0 : y >= m->rows ? m->rows - 1 : y;
	m->wrap = false;
}

void model_tab(struct model *m, int n)
{
	int x = m->x, step = n < 0 ? -1 : 1;

	for (n *= step; n > 0 && x + step >= 0 && x + step < m->cols; n--) {
		x += step;
		while (x > 0 && x < m->cols - 1 && !m->tabs[x])
			x += step;
	}
	model_goto(m, x, m->y);
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

/* A row of the main screen leaves it at the top. */
static void push_history(struct model *m, int row)
{
	if (m->s->ev.leave && m->grid == &m->main)
		m->s->ev.leave(m->s->ev.ctx, row);
	history_push(&m->s->history, m, m->main.row[row], m->cols);
}

void model_scroll_up(struct model *m, int top, int bottom, int n, bool keep)
{
	for (int i = 0; keep && i < n && top + i <= bottom; i++)
		push_history(m, top + i);
	grid_scroll_up(m, top, bottom, n);
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
		model_scroll_up(m, s->top, s->bottom, 1,
				s->top == 0 && m->grid == &m->main);
	else if (m->y < m->rows - 1)
		m->y++;
}

static void clamp_saved(struct model *m)
{
	for (int i = 0; i < 2; i++) {
		struct saved *s = &m->saved[i];

		s->x = s->x < m->cols ? s->x : m->cols - 1;
		s->y = s->y < m->rows ? s->y : m->rows - 1;
	}
}

/* Takes the newest line out of the history, to a row of blank cells. */
static void pop_row(struct model *m, struct cell *to)
{
	static const enum cell_part parts[] = {CELL_RIGHT, CELL_SINGLE,
					       CELL_LEFT};
	struct history *h = &m->s->history;
	struct screen_cell c[SCREEN_MAX_COLS];
	int n = history_get(h, 0, c, m->cols);

	for (int x = 0; x < n; x++) {
		to[x] = (struct cell){.ch = c[x].chars[0],
				      .fg = c[x].fg,
				      .bg = c[x].bg,
				      .attrs = c[x].attrs,
				      .part = (uint8_t)parts[c[x].width]};
		for (int k = 1; k < SCREEN_CELL_CHARS && c[x].chars[k]; k++)
			grid_combine(m, &to[x], c[x].chars[k]);
	}
	to[m->cols - 1].wraps = history_pop(h);
}

/*
 * Appends the main screen's rows to the history, without those below the
 * cursor that a lower screen has no room for; a higher one gets back what had
 * scrolled off, then blank rows.
 */
static void rows_to_history(struct model *m, int rows, int x, int y)
{
	static const struct cell blank;
	struct history *h = &m->s->history;
	int more = rows - m->rows, lost = m->rows - 1 - y, back = more;

	lost = more >= 0 ? 0 : lost < -more ? lost : -more;
	h->scrolled = h->scrolled < h->n ? h->scrolled : h->n;
	back = more < 0 ? more + lost : h->scrolled < more ? h->scrolled : more;
	h->scrolled -= back;
	for (int i = 0; i < m->rows - lost; i++)
		history_add(h, m, m->main.row[i], m->cols, i == y ? x : 0);
	for (int i = back; i < more; i++)
		history_add(h, m, &blank, 1, 0);
}

/* As tmux does: what had wrapped wraps at the new width, and the cursor stays
 * with its text. */
static void resize_main(struct model *m, int cols, int rows, int *x, int *y,
			bool *wrap)
{
	struct history *h = &m->s->history;
	int col = *x + *wrap, line = h->n + *y, n;

	rows_to_history(m, rows, col, *y);
	line = h->n - 1 - line;
	if (cols != m->cols)
		history_reflow(h, cols, &col, &line);
	grid_finish(&m->main);
	m->cols = cols;
	m->rows = rows;
	grid_init(&m->main, cols, rows);
	n = h->n < rows ? h->n : rows;
	for (int i = n - 1; i >= 0; i--)
		pop_row(m, m->main.row[i]);
	history_limit(h);
	*y = line < n ? n - 1 - line : 0;
	*x = line < n ? col : 0;
	*wrap = *x >= cols;
	*x -= *wrap;
}

void model_resize(struct model *m, int cols, int rows)
{
	bool alt = m->grid == &m->alt;
	struct saved *saved = &m->saved[0];
	int skip = m->y >= rows ? m->y - rows + 1 : 0, y = m->y;

	if (alt) {
		grid_resize(&m->alt, m->cols, m->rows, cols, rows, skip);
		resize_main(m, cols, rows, &saved->x, &saved->y, &saved->wrap);
		model_goto(m, m->x, m->y - skip);
	} else {
		resize_main(m, cols, rows, &m->x, &m->y, &m->wrap);
		saved->y += saved->y + m->y - y > 0 ? m->y - y : -saved->y;
	}
	clamp_saved(m);
	set_tabs(m);
}
