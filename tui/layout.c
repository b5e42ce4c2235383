/*
 * layout.c - the window divided, and the list's columns.
 *
 * The state must be seen in every width; then the name, then what the
 * session asks or says. Branch, harness and lines give way in that order.
 */
#include "tui/layout.h"

#define BESIDE_COLS  165 /* from here on the preview stands right */
#define PICTURE_COLS 100 /* what an agent's screen likes to have */
#define LIST_COLS    84
#define PART_COLS    20 /* what either keeps */
#define GAP	     2
#define MARKER	     2
#define DETAIL_MIN   28

static int min(int a, int b)
{
	return a < b ? a : b;
}

static int max(int a, int b)
{
	return a > b ? a : b;
}

void layout_frame(struct frame *f, const struct rect *body, bool preview,
		  size_t sessions, const int wanted[2])
{
	int n = sessions > 1000 ? 1000 : (int)sessions, list;

	*f = (struct frame){.list = *body};
	if (!preview)
		return;
	if (body->cols >= BESIDE_COLS) {
		list = min(max(body->cols - 1 - PICTURE_COLS, LIST_COLS),
			   body->cols * 55 / 100);
		if (wanted[1])
			list = min(max(wanted[1], PART_COLS),
				   body->cols - 1 - PART_COLS);
		f->beside = true;
		f->list.cols = list;
		f->preview = *body;
		f->preview.col += list + 1;
		f->preview.cols -= list + 1;
		return;
	}
	if (body->rows < 10)
		return;
	/* A heading, the sessions, and at most two fifths of the window. */
	list = min(max(n, 3) + 1, max(body->rows * 2 / 5, 5));
	if (wanted[0])
		list = min(max(wanted[0], 2), body->rows - 3);
	f->list.rows = list;
	f->preview = *body;
	f->preview.row += list;
	f->preview.rows -= list;
}

static int total(const struct columns *c)
{
	int sum = MARKER;

	for (int i = 0; i < COLUMN_DETAIL; i++)
		sum += c->width[i] ? c->width[i] + GAP : 0;
	return sum;
}

void layout_columns(struct columns *c, int cols, const struct widths *w)
{
	static const enum column gives_way[] = {COLUMN_BRANCH, COLUMN_HARNESS,
						COLUMN_LINES, COLUMN_AGE};
	int at = MARKER, left;

	*c = (struct columns){0};
	c->width[COLUMN_NAME] = min(max(w->name, 8), max(12, cols * 3 / 10));
	c->width[COLUMN_HARNESS] = min(max(w->harness, 7), 12);
	c->width[COLUMN_STATE] = cols >= 110 ? 17 : 9;
	c->width[COLUMN_CHECK] = min(w->check, 1);
	c->width[COLUMN_AGE] = 4;
	c->width[COLUMN_BRANCH] = min(max(w->branch, 6), max(10, cols / 5));
	c->width[COLUMN_LINES] = min(max(w->lines, 5), 14);
	for (size_t i = 0; i < sizeof gives_way / sizeof gives_way[0]; i++) {
		if (cols - total(c) >= DETAIL_MIN)
			break;
		c->width[gives_way[i]] = 0;
	}
	left = cols - total(c);
	c->width[COLUMN_DETAIL] = left >= 8 ? left : 0;
	for (int i = 0; i < COLUMN_COUNT; i++) {
		c->at[i] = at;
		at += c->width[i] ? c->width[i] + GAP : 0;
	}
}

size_t layout_scroll(size_t top, size_t cursor, size_t n, size_t rows)
{
	if (rows == 0 || n <= rows)
		return 0;
	if (cursor < top)
		top = cursor;
	if (cursor >= top + rows)
		top = cursor - rows + 1;
	return top + rows > n ? n - rows : top;
}
