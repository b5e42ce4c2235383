/*
 * reader.c - the view whose keys move through the tab's text, or through the
 * history of the agent's screen.
 *
 * In a window too small for a preview it has the whole body.
 */
#include <curses.h>

#include "tui/preview/preview.h"
#include "tui/preview/tabs.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"

static void close_reader(struct tui *t)
{
	struct scroll *s = tabs_scroll(t->tabs);

	if (s)
		scroll_find(s, NULL);
	tabs_show_history(t->tabs, false);
	view_pop(t);
}

static bool search_text(struct tui *t, const char *text)
{
	struct scroll *s = tabs_scroll(t->tabs);

	return !s || scroll_find(s, text);
}

static void search_next(struct tui *t, struct view *v, uint32_t pressed)
{
	struct scroll *s = tabs_scroll(t->tabs);

	(void)v;
	if (!s->find)
		tui_set_message(t, LOOK_PLAIN, "%s looks for a text first",
				keys_name(ACT_FILTER));
	else if (!scroll_find_next(s, pressed == 'n'))
		tui_set_message(t, LOOK_PLAIN, "there is no '%s'", s->find);
}

/* Returns the text to move through; for the live screen, its history. */
static struct scroll *text_for(struct tui *t, enum act act)
{
	if (act == ACT_UP || act == ACT_PAGE_UP || act == ACT_SCROLL_UP ||
	    act == ACT_FIRST || act == ACT_FILTER)
		tabs_show_history(t->tabs, true);
	return tabs_scroll(t->tabs);
}

static void reader_key(struct tui *t, struct view *v, struct key k)
{
	enum act act = keys_act(k);
	bool end = k.kind == KEY_KIND_NAMED && k.cp == KEY_END;
	struct scroll *s;

	if (key_is_cancel(k) || act == ACT_QUIT ||
	    (end && tabs_shown(t->tabs) == TAB_SCREEN)) {
		close_reader(t);
		return;
	}
	if (tabs_key(t->tabs, act))
		return;
	s = text_for(t, act);
	if (!s)
		return;
	if (act == ACT_FILTER)
		view_push(t, prompt_view(NULL, search_text));
	else if (!view_run_key(t, v, k))
		scroll_key(s, k);
}

/* Scrolling the wheel past the end returns to the live screen. */
static void reader_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct view *below = v->below;
	bool beside = t->frame.preview.rows && m->col < t->frame.preview.col;
	bool outside = beside || m->row < t->frame.preview.row;
	struct scroll *s = tabs_scroll(t->tabs);

	if (mouse_wheel(m) && !(t->frame.preview.rows && outside)) {
		if (m->what == MOUSE_UP)
			s = text_for(t, ACT_UP);
		else if (s && scroll_at_end(s))
			close_reader(t);
		if (s)
			scroll_by(s, MOUSE_ROWS * mouse_wheel(m));
		return;
	}
	if (m->what == MOUSE_PRESS && outside && t->frame.preview.rows)
		close_reader(t);
	below->ops->mouse(t, below, m);
}

static const struct view_key keys[] = {
    {"Reading what is beside the list", NULL, NULL, NULL},
    {"Esc", "back", "back to the list", NULL},
    {"{down}/{up}", "line", "a line down, up", NULL},
    {"{scroll-up}/{scroll-down}", "page", "a page up, down", NULL},
    {"{first}/{last}", "", "first line, last line", NULL},
    {"Left/Right", "", "shift lines that are too long", NULL},
    {"[ ] { }", "", "in a diff: by hunks, by files", NULL},
    {"{filter}", "look for", "look for a text", NULL},
    {"n/N", "next, last", "the next place that has it, the one before",
     search_next},
    {"{tab-next}", "another tab", "its screen, diff, log, info", NULL},
    {0},
};

static const struct view_ops reader_ops = {
    .has_help = true,
    .draw = preview_draw_alone,
    .key = reader_key,
    .mouse = reader_mouse,
    .keys = keys,
    .destroy = view_free,
};

struct view *reader_view(void)
{
	struct view *v = mem_alloc(sizeof *v);

	v->ops = &reader_ops;
	return v;
}

bool reader_handle_mouse(struct tui *t, const struct mouse *m)
{
	const struct rect *r = &t->frame.preview;
	struct scroll *s = tabs_scroll(t->tabs);
	struct view *reader;

	if (m->row < r->row || m->row >= r->row + r->rows || m->col < r->col)
		return false;
	if (m->what == MOUSE_PRESS) {
		tabs_key(t->tabs, tabs_at(t->tabs, m->row, m->col));
	} else if (mouse_wheel(m) && s) {
		scroll_by(s, mouse_wheel(m) * MOUSE_ROWS);
	} else if (m->what == MOUSE_UP) {
		reader = reader_view();
		view_push(t, reader);
		reader->ops->mouse(t, reader, m);
	}
	return true;
}
