/*
 * reader.c - the view whose keys move through the tab's text, or through the
 * history of the agent's screen.
 *
 * In a window too small for a preview it has the whole body.
 */
#include <curses.h>

#include "tui/actions/action.h"
#include "tui/actions/comment.h"
#include "tui/preview/preview.h"
#include "tui/preview/tabs.h"
#include "tui/preview/turns.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"
#include "tui/widgets/search.h"

static void close_reader(struct tui *t)
{
	struct scroll *s = tabs_scroll(t->tabs);

	if (s)
		scroll_find(s, NULL);
	tabs_take_keys(t->tabs, false);
	tabs_show_history(t->tabs, false);
	view_pop(t);
}

static struct scroll *reader_text(const struct tui *t, const struct view *v)
{
	(void)v;
	return tabs_scroll(t->tabs);
}

/* Returns the text to move through; for the live screen, its history. */
static struct scroll *text_for(struct tui *t, enum act act)
{
	if (act == ACT_UP || act == ACT_PAGE_UP || act == ACT_SCROLL_UP ||
	    act == ACT_FIRST || act == ACT_FILTER)
		tabs_show_history(t->tabs, true);
	return tabs_scroll(t->tabs);
}

static const struct view_key keys[] = {
    {"Reading what is beside the list", NULL, NULL, NULL},
    {"Esc", "back", "back to the list", NULL},
    {"{down}/{up}", "line", "a line down, up", NULL},
    {"{scroll-up}/{scroll-down}", "page", "a page up, down", NULL},
    {"{first}/{last}", "", "first line, last line", NULL},
    {"Left/Right", "", "shift lines that are too long", NULL},
    SEARCH_KEYS,
    {"{tab-next}", "another tab", "its screen, diff, log, info, turns", NULL},
    {0},
};

static void comment(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct session *s = roster_selected(&t->roster);
	const char *diff = tabs_diff(t->tabs);

	(void)v;
	if (s && diff)
		comment_press(t, s->spec.id, diff, tabs_scroll(t->tabs),
			      pressed);
}

static const struct view_key diff_keys[] = {
    {"Reading what has changed", NULL, NULL, NULL},
    {"Esc", "back", "back to the list", NULL},
    {"{down}/{up}", "line", "a line down, up", NULL},
    {"{scroll-up}/{scroll-down}", "page", "a page up, down", NULL},
    {"{first}/{last}", "", "first line, last line", NULL},
    {"Left/Right", "", "shift lines that are too long", NULL},
    {"[ ] { }", "", "by hunks, by files", NULL},
    SEARCH_KEYS,
    COMMENT_KEYS(comment),
    {"{tab-next}", "another tab", "its screen, log, info, turns", NULL},
    {0},
};

static void handle_turn(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct session *s = roster_selected(&t->roster);
	const struct scroll *text = tabs_scroll(t->tabs);
	int64_t number = turns_chosen(text, 0);

	(void)v;
	if (!s || !number)
		return;
	if (pressed == 'f')
		view_push(t, form_view(t, s, number));
	else if (pressed == 'u' || pressed == 'U')
		action_undo(t, s, pressed == 'u' ? number : 0);
	else
		action_diff_between(t, s, number, turns_chosen(text, 1));
}

static const struct view_key turns_keys[] = {
    {"Choosing one of its turns", NULL, NULL, NULL},
    {"Esc", "back", "back to the list", NULL},
    {"Enter", "diff", "show what changed from it to the next one", handle_turn},
    {"u", "undo", "restore files and branch as they were, after asking",
     handle_turn},
    {"U", "redo", "reverse the last undo, after asking", handle_turn},
    {"f", "start from it", "create a session that begins with what it has",
     handle_turn},
    {"{down}/{up}", "", "the next one, the one before", NULL},
    {"{first}/{last}", "", "the first, the last", NULL},
    SEARCH_KEYS,
    {"{tab-next}", "another tab", "its screen, diff, log, info", NULL},
    {0},
};

/* The keys depend on the tab. */
static void set_keys(struct tui *t, struct view *v)
{
	v->keys = tabs_shown(t->tabs) == TAB_TURNS  ? turns_keys
		  : tabs_shown(t->tabs) == TAB_DIFF ? diff_keys
						    : keys;
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
	if (tabs_key(t->tabs, act)) {
		set_keys(t, v);
		return;
	}
	s = text_for(t, act);
	if (!s)
		return;
	if (!search_key(t, v, k) && !view_run_key(t, v, k))
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
	if (t->view == v) /* it is still open */
		set_keys(t, v);
}

static const struct view_ops reader_ops = {
    .has_help = true,
    .draw = preview_draw_alone,
    .key = reader_key,
    .mouse = reader_mouse,
    .text = reader_text,
    .destroy = view_free,
};

struct view *reader_view(struct tui *t)
{
	struct view *v = mem_alloc(sizeof *v);

	v->ops = &reader_ops;
	set_keys(t, v);
	tabs_take_keys(t->tabs, true);
	return v;
}

/* A click in the tab of turns chooses one, and moves the keys there. */
static void press_row(struct tui *t, struct scroll *s, const struct mouse *m)
{
	if (!s || m->row < s->row)
		return;
	if (!t->view->below)
		view_push(t, reader_view(t));
	scroll_choose(s, s->top + (size_t)(m->row - s->row));
}

bool reader_handle_mouse(struct tui *t, const struct mouse *m)
{
	const struct rect *r = &t->frame.preview;
	struct scroll *s = tabs_scroll(t->tabs);
	struct view *reader;

	if (m->row < r->row || m->row >= r->row + r->rows || m->col < r->col)
		return false;
	if (m->what == MOUSE_PRESS) {
		if (!tabs_key(t->tabs, tabs_at(t->tabs, m->row, m->col)) &&
		    tabs_shown(t->tabs) == TAB_TURNS)
			press_row(t, s, m);
	} else if (mouse_wheel(m) && s) {
		scroll_by(s, mouse_wheel(m) * MOUSE_ROWS);
	} else if (m->what == MOUSE_UP) {
		reader = reader_view(t);
		view_push(t, reader);
		reader->ops->mouse(t, reader, m);
	}
	return true;
}
