/*
 * list.c - the list of sessions, the view at the bottom of the stack.
 */
#include <curses.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "tui/actions/action.h"
#include "tui/hosts.h"
#include "tui/list/columns.h"
#include "tui/list/fold.h"
#include "tui/list/row.h"
#include "tui/child/conflicts.h"
#include "tui/preview/preview.h"
#include "tui/preview/tabs.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"
#include "tui/views/palette.h"

struct list {
	struct view view;
	size_t top;
	int page; /* rows of the list as last drawn */
	struct columns columns;
	bool again; /* the mouse was pressed on the selected session */
};

/* Prints "1-7 of 60", if not all are seen and there is room. */
static void range_text(const struct list *l, int cols, size_t n, char *out,
		       size_t size)
{
	size_t last = l->top + (size_t)l->page;

	out[0] = '\0';
	if (l->page > 0 && n > (size_t)l->page)
		snprintf(out, size, " %zu-%zu of %zu", l->top + 1,
			 last < n ? last : n, n);
	if (paint_width(out) >= cols / 2)
		out[0] = '\0';
}

static void draw_empty(struct tui *t, const struct rect *r)
{
	static const char *const filtered[] = {
	    "No session matches the filter. Press {filter} to change it, Esc "
	    "to drop it.",
	    NULL,
	};
	static const char *const first[] = {
	    "There are no sessions yet.",
	    "",
	    "A session is one agent at work in a git worktree of its own.",
	    "Press {new} to make the first one, or type in a git repository:",
	    "",
	    "    afw new fix-login -a claude -m \"make the login test "
	    "pass\"",
	    "    afw new try -a demo    (a program that acts like an agent)",
	    "",
	    "It shows up here by itself. Press {help} for all keys.",
	    NULL,
	};
	static const char *const waiting[] = {
	    "No session is waiting. Press {inbox} for all of them.", NULL};
	const struct roster *roster = &t->roster;
	const char *const *lines = roster->filter  ? filtered
				   : roster->inbox ? waiting
						   : first;

	for (int i = 0; lines[i] && i + 1 < r->rows; i++) {
		_free_ char *line = keys_fill(lines[i]);

		paint_look(r->row + 1 + i, r->col + 2, r->cols - 4, line,
			   i || roster->filter || roster->inbox ? LOOK_PLAIN
								: LOOK_STRONG);
	}
}

static void list_draw(struct tui *t, struct view *v, const struct rect *body)
{
	struct list *l = (struct list *)v;
	struct frame f;
	struct columns *c = &l->columns;
	int wanted[COLUMN_COUNT];
	/* A session is indented below the heading of its group. */
	int indent = t->roster.grouped == BY_NONE || t->roster.inbox ? 0 : 2;
	char range[64];
	struct rect *r = &f.list;

	preview_frame(t, &f, body);
	t->frame = f;
	l->page = r->rows - 1;
	if (!t->roster.nshown) {
		draw_empty(t, r);
		return;
	}
	columns_measure(t, wanted);
	layout_columns(c, r->cols - indent, &t->columns, wanted);
	for (int i = 0; i < COLUMN_COUNT; i++)
		c->at[i] += indent;
	l->top = layout_scroll(l->top, t->roster.cursor, t->roster.nshown,
			       (size_t)l->page);
	range_text(l, r->cols, t->roster.nshown, range, sizeof range);
	columns_draw(t, r, c, range);
	for (int i = 0; i < l->page; i++) {
		size_t at = l->top + (size_t)i;

		if (at >= t->roster.nshown)
			break;
		if (roster_heading(&t->roster, at))
			fold_draw(t, r->row + 1 + i, r, at);
		else
			row_draw(t, r->row + 1 + i, r, c,
				 roster_shown(&t->roster, at),
				 at == t->roster.cursor);
	}
	if (f.preview.rows)
		preview_draw(t, &f.preview, f.beside);
}

/* Keys that apply to the selected session, or to the marked ones. */
static void (*const on_session[ACT_COUNT])(struct tui *t,
					   const struct session *s) = {
    [ACT_ATTACH] = action_attach,  [ACT_APPROVE] = ask_approve,
    [ACT_DENY] = ask_deny,	   [ACT_ALWAYS] = action_always,
    [ACT_SEND] = action_message,   [ACT_DIFF] = action_diff,
    [ACT_STOP] = ask_stop,	   [ACT_RESUME] = ask_resume,
    [ACT_START] = action_start,	   [ACT_REMOVE] = ask_remove,
    [ACT_SLEEP] = ask_suspend,	   [ACT_TYPE] = action_type,
    [ACT_MERGE] = action_merge,	   [ACT_COMMIT] = action_commit,
    [ACT_UNDO] = action_undo_turn, [ACT_CONFLICTS] = action_conflicts,
    [ACT_LAND] = action_land,	   [ACT_EDIT] = action_edit,
    [ACT_SHELL] = action_shell,	   [ACT_RENAME] = ask_rename,
    [ACT_PIN] = flag_pin,	   [ACT_ARCHIVE] = flag_archive,
    [ACT_SNOOZE] = flag_snooze,	   [ACT_NOTE] = flag_note,
};

static void do_on_session(struct tui *t, enum act act)
{
	const struct session *s = roster_selected(&t->roster);

	if (!s && fold_act(t, act, &s))
		return;
	if (!s)
		tui_set_message(t, LOOK_PLAIN,
				"there is no session; %s makes one",
				keys_name(ACT_NEW));
	else if (!s->alive && act == ACT_ATTACH)
		tui_set_message(t, LOOK_PLAIN,
				"%s is not running: %s starts it again",
				s->spec.name, keys_name(ACT_RESUME));
	else if (on_session[act])
		on_session[act](t, s);
}

static void move_cursor(struct tui *t, long delta)
{
	roster_move(&t->roster, delta);
}

static void select_next_waiting(struct tui *t)
{
	if (!roster_next_waiting(&t->roster))
		tui_set_message(t, LOOK_PLAIN, "no session waits for you");
}

static void mark_row(struct tui *t)
{
	const struct session *s = roster_selected(&t->roster);
	const struct roster_group *g =
	    roster_heading(&t->roster, t->roster.cursor);

	if (g)
		roster_mark_all(&t->roster, g);
	else if (s)
		roster_mark(&t->roster, s->spec.id);
	move_cursor(t, g ? 0 : 1);
}

static bool set_filter(struct tui *t, const char *text)
{
	roster_filter(&t->roster, text);
	return true;
}

/* Removes one restriction: the marks, then the filter, then the inbox. */
static void remove_restriction(struct tui *t)
{
	if (t->roster.marked.n)
		strv_finish(&t->roster.marked);
	else if (t->roster.filter)
		set_filter(t, NULL);
	else if (t->roster.inbox)
		roster_show_inbox(&t->roster, false);
}

/* Returns whether the preview is visible in the current window. */
static bool has_preview(struct tui *t)
{
	struct rect body = tui_body();
	struct frame f;

	preview_frame(t, &f, &body);
	return f.preview.rows > 0;
}

/* The tab of turns is for choosing one, so it gets the keys at once. */
static void show_tab(struct tui *t, enum act act)
{
	t->preview = true;
	if ((act == ACT_TURNS || !has_preview(t)) &&
	    roster_selected(&t->roster))
		view_push(t, reader_view(t));
}

/* Scrolls the text in the preview; without one, the list. */
static void scroll_page(struct tui *t, struct key k, int by)
{
	struct view *reader;

	if (!has_preview(t) || !roster_selected(&t->roster)) {
		move_cursor(t, by);
		return;
	}
	reader = reader_view(t);
	view_push(t, reader);
	reader->ops->key(t, reader, k);
}

/* Stops the whole job, without curses' handler. The kernel ignores this if no
 * shell could continue the job, as in `xterm -e afw` and `ssh -t host afw`. */
static void suspend(struct tui *t)
{
	void (*handler)(int);

	tui_release_terminal(t);
	handler = signal(SIGTSTP, SIG_DFL);
	kill(0, SIGTSTP);
	signal(SIGTSTP, handler);
	tui_reclaim_terminal(t);
}

static void run_action(struct tui *t, enum act act);

/* Opens a command of the user's beside the selected session. */
static void run_command(struct tui *t, int i)
{
	const struct session *s = roster_selected(&t->roster);

	if (s || !fold_act(t, ACT_SHELL, &s))
		action_beside(t, s, cJSON_GetArrayItem(t->commands, i));
}

/* k: the key that was pressed, if it was one */
static void act_on(struct tui *t, struct list *l, enum act act, struct key k)
{
	int by = l->page > 1 ? l->page - 1 : 1;

	switch (act) {
	case ACT_DOWN:
		move_cursor(t, 1);
		break;
	case ACT_UP:
		move_cursor(t, -1);
		break;
	case ACT_PAGE_DOWN:
		move_cursor(t, by);
		break;
	case ACT_PAGE_UP:
		move_cursor(t, -by);
		break;
	case ACT_FIRST:
		move_cursor(t, -(long)t->roster.nshown);
		break;
	case ACT_LAST:
		move_cursor(t, (long)t->roster.nshown);
		break;
	case ACT_NEXT:
		select_next_waiting(t);
		break;
	case ACT_MARK:
		mark_row(t);
		break;
	case ACT_MARK_ALL:
		roster_mark_all(&t->roster, NULL);
		break;
	case ACT_NEW:
		view_push(t, form_view(t, NULL, 0));
		break;
	case ACT_SCROLL_DOWN:
		scroll_page(t, k, by);
		break;
	case ACT_SCROLL_UP:
		scroll_page(t, k, -by);
		break;
	case ACT_FILTER:
		view_push(t, prompt_view(t->roster.filter, set_filter));
		break;
	case ACT_INBOX:
		roster_show_inbox(&t->roster, !t->roster.inbox);
		break;
	case ACT_ARCHIVED:
		roster_show_hidden(&t->roster, !t->roster.hidden);
		break;
	case ACT_QUEUE:
		view_push(t, queue_view(t));
		break;
	case ACT_COMPARE:
		action_compare(t);
		break;
	case ACT_SEARCH:
		view_push(t, search_view());
		break;
	case ACT_TRASH:
		view_push(t, trash_view(t));
		break;
	case ACT_PREVIEW:
		t->preview = !t->preview;
		break;
	case ACT_REDRAW:
		clearok(curscr, TRUE);
		tui_reload_all(t);
		hosts_reload(t);
		break;
	case ACT_SUSPEND:
		suspend(t);
		break;
	case ACT_QUIT:
		if (t->roster.inbox)
			roster_show_inbox(&t->roster, false);
		else
			ask_quit(t);
		break;
	case ACT_PALETTE:
		view_push(t, palette_view(run_action));
		break;
	case ACT_HELP:
		view_push(t, help_view(t, &l->view));
		break;
	case ACT_NONE:
	case ACT_COUNT:
		if (keys_command(k) >= 0)
			run_command(t, keys_command(k));
		else if (k.kind == KEY_KIND_CHAR && k.cp == '\033')
			remove_restriction(t);
		break;
	default:
		if (tabs_key(t->tabs, act))
			show_tab(t, act);
		else if (!fold_key(t, act))
			do_on_session(t, act);
		break;
	}
}

/* The list is the top view. */
static void run_action(struct tui *t, enum act act)
{
	act_on(t, (struct list *)t->view, act, (struct key){0});
}

static void list_key(struct tui *t, struct view *v, struct key k)
{
	act_on(t, (struct list *)v, keys_act(k), k);
}

/* A click on a column's title sorts by it. */
static void press_title(struct tui *t, const struct list *l, int col)
{
	enum column which = columns_at(&l->columns, col);
	enum order order;

	if (which == COLUMN_COUNT)
		return;
	if (columns_order(which, &order))
		fold_order(t, order);
	else
		tui_set_message(t, LOOK_PLAIN,
				"the list cannot be sorted by this column");
}

static void list_mouse(struct tui *t, struct view *v, const struct mouse *m)
{
	struct list *l = (struct list *)v;
	const struct rect *r = &t->frame.list;
	size_t at = l->top + (size_t)(m->row - r->row - 1);
	bool on = m->row > r->row && m->row < r->row + r->rows &&
		  at < t->roster.nshown;

	if (preview_divide(t, m) ||
	    (roster_selected(&t->roster) && reader_handle_mouse(t, m)))
		return;
	if (mouse_wheel(m))
		move_cursor(t, mouse_wheel(m));
	else if (m->what == MOUSE_DOUBLE && on && l->again &&
		 at == t->roster.cursor)
		do_on_session(t, ACT_ATTACH);
	if (m->what != MOUSE_PRESS)
		return;
	/* The second click must be on the same session, which may have
	 * moved. */
	l->again = on && at == t->roster.cursor;
	if (m->row == r->row && t->roster.nshown)
		press_title(t, l, m->col - r->col);
	if (on)
		move_cursor(t, (long)at - (long)t->roster.cursor);
}

static const struct view_ops list_ops = {
    .covers = true,
    .has_help = true,
    .draw = list_draw,
    .key = list_key,
    .mouse = list_mouse,
    .footer = footer_draw,
    .destroy = view_free,
};

struct view *list_view(void)
{
	struct list *l = mem_alloc(sizeof *l);

	l->view.ops = &list_ops;
	return &l->view;
}
