/*
 * layout.c - divides the window, and sets the widths of the list's columns.
 *
 * The state must be seen in every width; then the name, then what the session
 * asks or reports. The other columns are left out before these, first the
 * branch and those that only the user's options show.
 */
#include "tui/term/layout.h"

#define BESIDE_COLS  165 /* from here on the preview may be on the right */
#define PICTURE_COLS 100 /* a good width for an agent's screen, and height */
#define PICTURE_ROWS 30
#define LIST_COLS    84
#define PART_COLS    20 /* the minimum of either part */
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
		  size_t sessions, bool small, const int wanted[2])
{
	int n = sessions > 1000 ? 1000 : (int)sessions, list;
	/* A heading and the sessions, and how many rows they may have. */
	int need = max(n, small ? 1 : 3) + 1, room = body->rows - PICTURE_ROWS;

	*f = (struct frame){.list = *body};
	if (!preview)
		return;
	if (body->cols >= BESIDE_COLS && (need > room || wanted[1])) {
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
	if (body->rows < (small ? 6 : 10))
		return;
	list = min(need, max(max(body->rows * 2 / 5, small ? 3 : 5), room));
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

	for (int i = 0; i < COLUMN_COUNT; i++)
		sum += c->width[i] ? c->width[i] + GAP : 0;
	return sum;
}

static const struct {
	int least, most, share, rank;
} limits[COLUMN_COUNT] = {
#define COLUMN(id, name, heading, least, most, share, rank)                    \
	[COLUMN_##id] = {least, most, share, rank},
#include "config/columns.def"
#undef COLUMN
};

bool layout_column_is_variable(enum column which)
{
	return limits[which].least < limits[which].most;
}

static int width_of(enum column which, int wanted, int cols)
{
	int most = max(limits[which].most, cols * limits[which].share / 100);

	return min(max(wanted, limits[which].least), most);
}

static void leave_out(struct columns *c, int rank)
{
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (limits[i].rank == rank)
			c->width[i] = 0;
}

void layout_columns(struct columns *c, int cols, const struct chosen *chosen,
		    const int wanted[COLUMN_COUNT])
{
	int at = MARKER, left, keep = -GAP;

	*c = (struct columns){0};
	for (int i = 0; i < chosen->n; i++) {
		enum column which = chosen->v[i];

		c->width[which] = width_of(which, wanted[which], cols);
		if (which == COLUMN_DETAIL)
			keep = DETAIL_MIN;
	}
	for (int rank = 1; rank < COLUMN_COUNT && cols - total(c) < keep;
	     rank++)
		leave_out(c, rank);
	left = cols - total(c);
	if (keep == DETAIL_MIN)
		c->width[COLUMN_DETAIL] = left >= 8 ? left : 0;
	for (int i = 0; i < chosen->n; i++) {
		int *width = &c->width[chosen->v[i]];

		*width = max(min(*width, cols - at), 0);
		c->at[chosen->v[i]] = at;
		at += *width ? *width + GAP : 0;
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
