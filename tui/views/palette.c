/*
 * palette.c - finds an action by its name and runs it.
 *
 * Actions whose name begins with the typed text come first, then those that
 * have it in their name, then those that have it in their help.
 */
#include "tui/views/palette.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/term/mouse.h"
#include "tui/widgets/text_field.h"

#define NAME_COLS 18
#define KEY_COLS  11
#define TOP	  3 /* rows above the actions */

struct palette {
	struct view view;
	struct text text;
	enum act found[ACT_COUNT];
	size_t n, at, top;
	int row, rows; /* of the actions, as last drawn */
	void (*run)(struct tui *t, enum act act);
};

enum { BY_BEGIN, BY_NAME, BY_HELP, NOT_FOUND };

static int rank(enum act act, const char *typed)
{
	const char *name = keys_action(act), *at = strcasestr(name, typed);

	return act == ACT_PALETTE		   ? NOT_FOUND
	       : at == name			   ? BY_BEGIN
	       : at				   ? BY_NAME
	       : strcasestr(keys_help(act), typed) ? BY_HELP
						   : NOT_FOUND;
}

static void find(struct palette *p)
{
	const char *typed = text_get(&p->text);

	p->n = p->at = 0;
	for (int r = BY_BEGIN; r < NOT_FOUND; r++)
		for (int a = ACT_NONE + 1; a < ACT_COUNT; a++)
			if (rank((enum act)a, typed) == r)
				p->found[p->n++] = (enum act)a;
}

static void draw_action(const struct rect *r, int row, enum act act,
			bool chosen)
{
	_free_ char *help = keys_fill(keys_help(act));
	struct style st = {.attrs = chosen ? SCREEN_REVERSE : 0};
	int col = r->col + 2, end = r->col + r->cols;

	paint_fill(row, r->col, r->cols, st);
	paint_text(row, r->col, 2, chosen ? "> " : "  ", st);
	paint_text(row, col, NAME_COLS - 1, keys_action(act), st);
	col += NAME_COLS;
	paint_text(row, col, KEY_COLS - 1, keys_has(act) ? keys_name(act) : "",
		   chosen ? st : paint_style(LOOK_KEY));
	col += KEY_COLS;
	paint_text(row, col, end - col, help, st);
}

static void palette_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct palette *p = (struct palette *)v;
	struct rect in = {body->row + 1, body->col + 4, 1, body->cols - 4};
	int row, col;

	paint_heading(body, LOOK_STRONG, "run an action");
	paint_look(in.row, body->col + 2, 1, ":", LOOK_KEY);
	if (!*text_get(&p->text))
		paint_look(in.row, in.col, in.cols,
			   "a part of its name or of what it does", LOOK_QUIET);
	text_draw(&p->text, &in, paint_style(LOOK_PLAIN), &row, &col);
	tui_cursor(t, row, col);
	p->row = body->row + TOP;
	p->rows = body->rows - TOP;
	p->top = layout_scroll(p->top, p->at, p->n, (size_t)p->rows);
	for (int i = 0; i < p->rows && p->top + (size_t)i < p->n; i++) {
		size_t at = p->top + (size_t)i;

		draw_action(body, p->row + i, p->found[at], at == p->at);
	}
	if (!p->n)
		paint_look(p->row, in.col, in.cols, "no action has that",
			   LOOK_PLAIN);
}

static void move_to(struct palette *p, long to)
{
	p->at = to < 0		    ? 0
		: (size_t)to < p->n ? (size_t)to
		: p->n		    ? p->n - 1
				    : 0;
}

static void run_chosen(struct tui *t, struct palette *p)
{
	void (*run)(struct tui *, enum act) = p->run;
	enum act act = p->n ? p->found[p->at] : ACT_NONE;

	if (act == ACT_NONE)
		return;
	view_pop(t);
	run(t, act);
}

static void palette_key(struct tui *t, struct view *v, struct key k)
{
	struct palette *p = (struct palette *)v;
	bool named = k.kind == KEY_KIND_NAMED;
	long page = p->rows > 1 ? p->rows - 1 : 1;

	if (key_is_cancel(k))
		view_pop(t);
	else if (k.kind == KEY_KIND_CHAR && k.cp == '\r')
		run_chosen(t, p);
	else if (named && (k.cp == KEY_DOWN || k.cp == KEY_UP))
		move_to(p, (long)p->at + (k.cp == KEY_DOWN ? 1 : -1));
	else if (named && (k.cp == KEY_NPAGE || k.cp == KEY_PPAGE))
		move_to(p, (long)p->at + (k.cp == KEY_NPAGE ? page : -page));
	else if (text_key(&p->text, k))
		find(p);
}

static void palette_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct palette *p = (struct palette *)v;
	long at = (long)p->top + m->row - p->row;
	bool on = m->row >= p->row && (size_t)at < p->n;

	if (mouse_wheel(m))
		move_to(p, (long)p->at + mouse_wheel(m));
	else if (on && m->what == MOUSE_PRESS)
		move_to(p, at);
	else if (on && m->what == MOUSE_DOUBLE)
		run_chosen(t, p);
}

static void palette_destroy(struct view *v)
{
	struct palette *p = (struct palette *)v;

	text_finish(&p->text);
	free(p);
}

static const struct view_key keys[] = {
    {"Enter", "run it", NULL, NULL},
    {"Down/Up", "choose", NULL, NULL},
    {"Esc", "back", NULL, NULL},
    {0},
};

static const struct view_ops ops = {
    .covers = true,
    .draw = palette_draw,
    .key = palette_key,
    .mouse = palette_mouse,
    .keys = keys,
    .destroy = palette_destroy,
};

struct view *palette_view(void (*run)(struct tui *t, enum act act))
{
	struct palette *p = mem_alloc(sizeof *p);

	p->view.ops = &ops;
	p->run = run;
	find(p);
	return &p->view;
}
