/* confirm.c - a question with y or n, in the last rows: as many as it needs, as
 * the user cannot confirm text that is cut. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/tui.h"

struct confirm {
	struct view view;
	char *question;
	void (*yes)(struct tui *t, void *arg);
	void *arg;
	void (*drop)(void *arg);
};

static void confirm_footer(struct tui *t, struct view *v, const struct rect *r)
{
	struct confirm *c = (struct confirm *)v;
	struct rect in = {r->row, r->col, 0, r->cols - 5};
	int col = paint_width(c->question) + 1;

	in.rows = paint_wrapped_rows(c->question, in.cols, r->row);
	if (in.rows > 1)
		col = in.cols + 1;
	in.row -= in.rows - 1;
	for (int i = 0; i < in.rows; i++)
		paint_fill(in.row + i, r->col, r->cols, (struct style){0});
	paint_wrapped(&in, c->question, LOOK_WAITING);
	col += paint_look(r->row, r->col + col, 3, "y/n", LOOK_KEY);
	tui_cursor(t, r->row, r->col + col);
}

static void confirm_key(struct tui *t, struct view *v, struct key k)
{
	struct confirm *c = (struct confirm *)v;
	void (*yes)(struct tui *, void *) = c->yes;
	void *arg = c->arg;

	if (k.kind != KEY_KIND_CHAR)
		return;
	switch (k.cp) {
	case 'y':
	case 'Y':
		c->drop = NULL;
		view_pop(t);
		yes(t, arg);
		break;
	case 'n':
	case 'N':
	case 'q':
	case '\033':
	case 'C' - '@':
		view_pop(t);
		tui_set_message(t, LOOK_PLAIN, "not done");
		break;
	default:
		break;
	}
}

static void confirm_destroy(struct view *v)
{
	struct confirm *c = (struct confirm *)v;

	if (c->drop)
		c->drop(c->arg);
	free(c->question);
	free(c);
}

static const struct view_ops confirm_ops = {
    .key = confirm_key,
    .footer = confirm_footer,
    .destroy = confirm_destroy,
};

struct view *confirm_view(char *question, void (*yes)(struct tui *t, void *arg),
			  void *arg, void (*drop)(void *arg))
{
	struct confirm *c = mem_alloc(sizeof *c);

	c->view.ops = &confirm_ops;
	c->question = question;
	c->yes = yes;
	c->arg = arg;
	c->drop = drop;
	return &c->view;
}
