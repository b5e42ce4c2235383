/*
 * diffs.c - what two sessions have changed, beside each other in a wide window,
 * otherwise one at a time; and the difference between their work.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/child/refresh.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"
#include "tui/tui.h"
#include "tui/widgets/diff_files.h"
#include "tui/widgets/search.h"

#define WIDE_COLS 160

/* Two sessions, and their difference. */
enum { LEFT, RIGHT, BOTH, SIDES };

struct side {
	char *title;
	struct strv words;
	struct scroll scroll;
	struct refresh text;
};

struct diffs {
	struct view view;
	struct side side[SIDES];
	int at; /* whose keys move */
};

static void side_words(void *owner, struct strv *words)
{
	const struct side *s = owner;

	for (size_t i = 0; i < s->words.n; i++)
		strv_add(words, s->words.v[i]);
}

static void side_store(void *owner, const struct job_result *r)
{
	struct side *s = owner;
	_free_ char *why = r->exit_code ? job_reason(r) : NULL;

	diff_files_set(&s->scroll, "",
		       why	    ? why
		       : r->out_len ? r->out
				    : "(no difference)",
		       true);
}

static void draw_side(struct diffs *d, int i, const struct rect *r)
{
	struct rect in = {r->row + 1, r->col, r->rows - 1, r->cols};
	struct side *s = &d->side[i];
	char where[64];

	paint_heading(r, d->at == i ? LOOK_STRONG : LOOK_QUIET, "%s", s->title);
	if (!s->scroll.text)
		paint_look(in.row, in.col, in.cols, "reading", LOOK_QUIET);
	else
		scroll_draw(&s->scroll, &in);
	scroll_where(&s->scroll, where, sizeof where);
	paint_look(r->row, r->col + r->cols - 1 - paint_width(where), r->cols,
		   where, LOOK_QUIET);
}

static bool is_divided(const struct diffs *d, int cols)
{
	return d->at != BOTH && cols >= WIDE_COLS;
}

static void diffs_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct diffs *d = (struct diffs *)v;
	struct rect left = *r, right = *r;

	(void)t;
	if (!is_divided(d, r->cols)) {
		draw_side(d, d->at, r);
		return;
	}
	left.cols = (r->cols - 1) / 2;
	right.col += left.cols + 1;
	right.cols -= left.cols + 1;
	draw_side(d, LEFT, &left);
	draw_side(d, RIGHT, &right);
	paint_column(r->row, left.col + left.cols, r->rows);
}

static void diffs_key(struct tui *t, struct view *v, struct key k)
{
	struct diffs *d = (struct diffs *)v;
	enum act act = keys_act(k);

	if (key_is_cancel(k) || act == ACT_QUIT)
		view_pop(t);
	else if (act == ACT_TAB_NEXT)
		d->at = (d->at + 1) % SIDES;
	else if (act == ACT_TAB_LAST)
		d->at = (d->at + SIDES - 1) % SIDES;
	else if (!search_key(t, v, k))
		scroll_key(&d->side[d->at].scroll, k);
}

static struct scroll *diffs_text(const struct tui *t, const struct view *v)
{
	struct diffs *d = (struct diffs *)v;

	(void)t;
	return &d->side[d->at].scroll;
}

/* The wheel scrolls what it is over; a click chooses it. */
static void diffs_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct diffs *d = (struct diffs *)v;
	struct rect body = tui_body();
	int over = d->at;

	(void)t;
	if (is_divided(d, body.cols))
		over = m->col > (body.cols - 1) / 2 ? RIGHT : LEFT;
	if (m->what == MOUSE_PRESS)
		d->at = over;
	scroll_by(&d->side[over].scroll, MOUSE_ROWS * mouse_wheel(m));
}

static void diffs_destroy(struct view *v)
{
	struct diffs *d = (struct diffs *)v;

	for (int i = 0; i < SIDES; i++) {
		refresh_finish(&d->side[i].text);
		scroll_finish(&d->side[i].scroll);
		strv_finish(&d->side[i].words);
		free(d->side[i].title);
	}
	free(d);
}

static const struct view_key keys[] = {
    {"Reading two diffs", NULL, NULL, NULL},
    {"{quit}", "back", NULL, NULL},
    {"{tab-next}", "the other", "the other one; then what differs between both",
     NULL},
    {"{down}/{up}", "line", "a line down, up", NULL},
    {"{mark}", "page", "a page down", NULL},
    {"{first}/{last}", "", "first line, last line", NULL},
    {"Left/Right", "shift", "shift lines that are too long", NULL},
    {"[ ] { }", "", "by hunks, by files", NULL},
    {0},
};

static const struct view_ops ops = {
    .covers = true,
    .has_help = true,
    .draw = diffs_draw,
    .key = diffs_key,
    .mouse = diffs_mouse,
    .text = diffs_text,
    .keys = keys,
    .destroy = diffs_destroy,
};

/* words: up to a NULL. */
static void open_side(struct tui *t, struct side *s, char *title,
		      const char *const *words)
{
	s->title = title;
	s->scroll.kind = SCROLL_DIFF;
	while (*words)
		strv_add(&s->words, *words++);
	s->text = (struct refresh){.owner = s,
				   .words = side_words,
				   .store = side_store,
				   .timeout_ms = 120000};
	refresh_create(&s->text, t);
	refresh_now(&s->text);
}

struct view *diffs_view(struct tui *t, const struct session *a,
			const struct session *b)
{
	struct diffs *d = mem_alloc(sizeof *d);
	const char *const left[] = {"diff", a->spec.id, NULL};
	const char *const right[] = {"diff", b->spec.id, NULL};
	const char *const both[] = {"compare", "--diff", a->spec.id, b->spec.id,
				    NULL};

	d->view.ops = &ops;
	open_side(t, &d->side[LEFT],
		  mem_printf("what %s has changed", a->spec.name), left);
	open_side(t, &d->side[RIGHT],
		  mem_printf("what %s has changed", b->spec.name), right);
	open_side(t, &d->side[BOTH],
		  mem_printf("from %s to %s", a->spec.name, b->spec.name),
		  both);
	return &d->view;
}
