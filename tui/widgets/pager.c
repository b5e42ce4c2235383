/*
 * pager.c - a text that fills the window: the help, conflicts, a long line.
 *
 * With a pager of its own the dashboard needs neither less(1) nor to leave
 * curses, and what an agent wrote is made safe by paint.h.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"
#include "tui/tui.h"
#include "tui/widgets/scroll.h"
#include "tui/widgets/search.h"

struct pager {
	struct view view;
	char *title;
	struct scroll scroll;
};

static void pager_draw(struct tui *t, struct view *v, const struct rect *r)
{
	struct pager *p = (struct pager *)v;

	(void)t;
	scroll_draw_titled(&p->scroll, p->title, r);
}

static void pager_key(struct tui *t, struct view *v, struct key k)
{
	struct pager *p = (struct pager *)v;
	enum act act = keys_act(k);

	if (key_is_cancel(k) || act == ACT_QUIT || act == ACT_HELP)
		view_pop(t);
	else if (!search_key(t, v, k))
		scroll_key(&p->scroll, k);
}

static struct scroll *pager_text(const struct tui *t, const struct view *v)
{
	(void)t;
	return &((struct pager *)v)->scroll;
}

static void pager_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct pager *p = (struct pager *)v;

	(void)t;
	scroll_by(&p->scroll, MOUSE_ROWS * mouse_wheel(m));
}

static void pager_destroy(struct view *v)
{
	struct pager *p = (struct pager *)v;

	free(p->title);
	scroll_finish(&p->scroll);
	free(p);
}

static const struct view_key keys[] = {
    {"Reading a text", NULL, NULL, NULL},
    {"{quit}", "back", NULL, NULL},
    {"{down}/{up}", "line", "a line down, up", NULL},
    {"{mark}", "page", "a page down", NULL},
    {"{first}/{last}", "first, last", "first line, last line", NULL},
    {"Left/Right", "shift", "shift lines that are too long", NULL},
    SEARCH_KEYS,
    {0},
};

/* It has no help of its own, as it is the help. */
static const struct view_ops pager_ops = {
    .covers = true,
    .draw = pager_draw,
    .key = pager_key,
    .mouse = pager_mouse,
    .keys = keys,
    .text = pager_text,
    .destroy = pager_destroy,
};

struct view *pager_view(const char *title, const char *text, bool help)
{
	struct pager *p = mem_alloc(sizeof *p);

	p->view.ops = &pager_ops;
	p->title = mem_strdup(title);
	p->scroll.kind = help ? SCROLL_HELP : SCROLL_PLAIN;
	scroll_set(&p->scroll, text);
	return &p->view;
}
