/* confirm.c - a question with y or n, in the last rows: as many as it needs, as
 * the user cannot confirm text that is cut. It may be about a longer text,
 * above it. */
#include <stdlib.h>
#include <string.h>

#include "tui/term/mouse.h"
#include "tui/tui.h"
#include "tui/widgets/scroll.h"

struct confirm {
	struct view view;
	char *question;
	void (*yes)(struct tui *t, void *arg);
	void *arg;
	void (*drop)(void *arg);
	char *title; /* of the text; NULL: there is none */
	struct scroll text;
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

	switch (k.kind == KEY_KIND_CHAR ? k.cp : 0) {
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
		if (c->title)
			scroll_key(&c->text, k);
		break;
	}
}

static void text_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct confirm *c = (struct confirm *)v;

	(void)t;
	scroll_draw_titled(&c->text, c->title, r);
}

static void text_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct confirm *c = (struct confirm *)v;

	(void)t;
	scroll_by(&c->text, MOUSE_ROWS * mouse_wheel(m));
}

static void confirm_destroy(struct view *v)
{
	struct confirm *c = (struct confirm *)v;

	if (c->drop)
		c->drop(c->arg);
	scroll_finish(&c->text);
	free(c->title);
	free(c->question);
	free(c);
}

static const struct view_ops confirm_ops = {
    .key = confirm_key,
    .footer = confirm_footer,
    .destroy = confirm_destroy,
};

static const struct view_ops text_ops = {
    .covers = true,
    .draw = text_draw,
    .key = confirm_key,
    .mouse = text_mouse,
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

void confirm_show(struct view *v, const char *title, const char *text)
{
	struct confirm *c = (struct confirm *)v;

	v->ops = &text_ops;
	c->title = mem_strdup(title);
	scroll_set(&c->text, text);
}
