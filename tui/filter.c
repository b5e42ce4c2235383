/* filter.c - the list narrowed while one types. */
#include <stdlib.h>

#include "tui/text_field.h"
#include "tui/tui.h"

struct filter {
	struct view view;
	struct text text;
};

static void filter_footer(struct tui *t, struct view *v, const struct rect *r)
{
	struct filter *f = (struct filter *)v;
	struct rect in = {r->row, r->col + 2, 1, r->cols - 2};
	int row, col;

	paint_look(r->row, r->col, 1, "/", LOOK_KEY);
	text_draw(&f->text, &in, paint_style(LOOK_PLAIN), &row, &col);
	tui_cursor(t, row, col);
}

static void filter_key(struct tui *t, struct view *v, struct key k)
{
	struct filter *f = (struct filter *)v;

	if (k.kind == KEY_KIND_CHAR && k.cp == '\r') {
		view_pop(t);
		return;
	}
	if (key_is_cancel(k)) {
		view_pop(t);
		model_filter(&t->model, NULL);
		tui_selection_changed(t);
		return;
	}
	if (text_key(&f->text, k)) {
		model_filter(&t->model, text_get(&f->text));
		tui_selection_changed(t);
	}
}

static void filter_destroy(struct view *v)
{
	struct filter *f = (struct filter *)v;

	text_finish(&f->text);
	free(f);
}

static const struct view_ops filter_ops = {
    .key = filter_key,
    .footer = filter_footer,
    .destroy = filter_destroy,
};

struct view *filter_view(struct tui *t)
{
	struct filter *f = mem_alloc(sizeof *f);

	f->view.ops = &filter_ops;
	text_set(&f->text, t->model.filter);
	return &f->view;
}
