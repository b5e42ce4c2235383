/*
 * draw.c - draws the picture: header, views, footer or message.
 *
 * Every picture is drawn whole into curses' memory, and curses sends the
 * differences; this prevents flicker.
 */
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "tui/hosts.h"
#include "tui/list/row.h"
#include "tui/term/keys.h"
#include "tui/tui.h"

#define SINCE_ROOM 60 /* for the counts beside it */

/* Draws at the right end how many are marked, or the filter, and the order and
 * groups if they are not the default; returns the columns used. */
static int draw_place(struct tui *t, const struct rect *r)
{
	const struct roster *roster = &t->roster;
	_buf_ struct buf text = {0};
	int width;

	if (roster->inbox)
		buf_adds(&text, "inbox");
	if (roster->hidden && !roster->inbox)
		buf_adds(&text, "with hidden");
	if (roster->marked.n || roster->filter)
		buf_adds(&text, text.len ? ", " : "");
	if (roster->marked.n)
		buf_addf(&text, "%zu marked", roster->marked.n);
	else if (roster->filter)
		buf_addf(&text, "filter: %s", roster->filter);
	if (roster->order != ORDER_NEED && !roster->inbox)
		buf_addf(&text, "%sorder: %s", text.len ? ", " : "",
			 order_name(roster->order));
	if (roster->by != BY_REPOSITORY && !roster->inbox)
		buf_addf(&text, "%s%s%s", text.len ? ", " : "",
			 roster->by == BY_NONE ? "no groups" : "by ",
			 roster->by == BY_NONE ? ""
					       : order_by_name(roster->by));
	width = paint_width(text.data);
	if (width > r->cols / 2)
		width = r->cols / 2;
	paint_look(r->row, r->col + r->cols - width - 1, width, text.data,
		   LOOK_KEY);
	return width + 3;
}

/* Draws what is new since the dashboard was left, at the right end; returns the
 * columns used. How to see more is left out of a narrow window. */
static int draw_since(const struct tui *t, const struct rect *r)
{
	bool whole = paint_width(t->since) + SINCE_ROOM <= r->cols;
	_free_ char *text =
	    mem_strndup(t->since, strcspn(t->since, whole ? "" : ";"));
	int width = paint_width(text);

	if (width + SINCE_ROOM / 2 > r->cols)
		return 0;
	paint_look(r->row, r->col + r->cols - width - 1, width, text,
		   LOOK_STRONG);
	return width + 3;
}

/* Draws " · 3 hidden (1 needs you)"; returns the columns used. */
static int draw_hidden(struct tui *t, const struct rect *r, int col, int cols)
{
	const struct roster *roster = &t->roster;
	const char *dot = term_utf8() ? " · " : ", ";
	char text[80], need[48] = "";

	if (roster->due_ms)
		tui_lasts(t, roster->due_ms - clock_wall_ms());
	if (!roster->nhidden || roster->hidden)
		return 0;
	if (roster->nmissed)
		snprintf(need, sizeof need, " (%zu need%s you)",
			 roster->nmissed, roster->nmissed == 1 ? "s" : "");
	snprintf(text, sizeof text, "%s%zu hidden%s", dot, roster->nhidden,
		 need);
	return paint_look(r->row, col, cols, text,
			  roster->nmissed ? LOOK_STRONG : LOOK_QUIET);
}

static void draw_header(struct tui *t, const struct rect *r)
{
	int used = t->since ? draw_since(t, r) : 0;
	int col = r->col, end = r->cols - (used ? used : draw_place(t, r));
	_buf_ struct buf lost = {0};

	col += paint_look(r->row, col, end, "afw", LOOK_BAR) + 2;
	if (t->roster.list.n)
		col += row_draw_counts(r->row, col, end - col, t->roster.counts,
				       NULL);
	else
		col += paint_look(r->row, col, end - col, "no sessions",
				  LOOK_QUIET);
	col += draw_hidden(t, r, col, end - col);
	hosts_print_lost(t, &lost);
	if (lost.len)
		paint_look(r->row, col + 2, end - col - 2, lost.data,
			   LOOK_ERROR);
}

/* Draws the message, in as many rows as it needs, upwards from the row above
 * the keys. */
static void draw_message(struct tui *t, const struct rect *footer)
{
	struct rect r = {footer->row, 0, TUI_MESSAGE_ROWS, footer->cols};

	r.rows = paint_wrapped_rows(t->message, r.cols, TUI_MESSAGE_ROWS);
	r.row -= r.rows;
	for (int i = 0; i < r.rows; i++)
		paint_fill(r.row + i, 0, r.cols, (struct style){0});
	paint_wrapped(&r, t->message, t->message_look);
}

static void expire_message(struct tui *t)
{
	int64_t left = t->message_until_ms - clock_mono_ms();

	if (!t->message || !t->message_until_ms)
		return;
	if (left > 0) {
		tui_lasts(t, left);
		return;
	}
	free(t->message);
	t->message = NULL;
}

static void draw_view(struct tui *t, struct view *v, const struct rect *body)
{
	if (!v->ops->covers && v->below)
		draw_view(t, v->below, body);
	if (v->ops->draw)
		v->ops->draw(t, v, body);
}

static void draw_too_small(const struct tui *t)
{
	char text[80];

	snprintf(text, sizeof text, "%dx%d is too small", COLS, LINES);
	paint_look(0, 0, COLS, text, LOOK_STRONG);
	if (LINES > 1) {
		snprintf(text, sizeof text, "afw needs %dx%d", TERM_MIN_COLS,
			 TERM_MIN_ROWS);
		paint_look(1, 0, COLS, text, LOOK_PLAIN);
	}
	if (LINES > 2 && !t->view->below) {
		snprintf(text, sizeof text, "%s leaves", keys_name(ACT_QUIT));
		paint_look(2, 0, COLS, text, LOOK_PLAIN);
	}
}

void tui_draw(struct tui *t)
{
	struct rect header = {0, 0, 1, COLS}, footer = {LINES - 1, 0, 1, COLS};
	struct rect body = tui_body();

	if (t->handed_over)
		return;
	t->cursor_row = t->cursor_col = -1;
	t->lasts_ms = -1;
	expire_message(t);
	paint_begin();
	if (tui_is_cramped()) {
		draw_too_small(t);
	} else {
		draw_header(t, &header);
		draw_view(t, t->view, &body);
		if (t->message)
			draw_message(t, &footer);
		if (t->view->ops->footer)
			t->view->ops->footer(t, t->view, &footer);
		else if (view_keys(t->view))
			help_draw_keys(t, t->view, &footer, view_keys(t->view));
	}
	paint_show(t->cursor_row, t->cursor_col);
	if (t->lasts_ms >= 0)
		loop_timer_set(t->age, t->lasts_ms + 1);
	else
		loop_timer_stop(t->age);
	t->last_draw_ms = clock_mono_ms();
}
