/* tui.c - the stack of views, and what a view may request: to be drawn, to show
 * a message, to hand the terminal to a program. */
#include "tui/tui.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tui/child/job.h"
#include "tui/model/bell.h"
#include "tui/preview/feed.h"

#define SAYS_MS 6000 /* for messages of little importance */

void tui_redraw(struct tui *t)
{
	int64_t due = t->last_draw_ms + TUI_REDRAW_MS - clock_mono_ms();

	loop_timer_set_earlier(t->draw, due > 0 ? due : 0);
}

void view_push(struct tui *t, struct view *v)
{
	v->below = t->view;
	v->serial = ++t->views;
	t->view = v;
	tui_redraw(t);
}

const struct view_key *view_keys(const struct view *v)
{
	return v->keys ? v->keys : v->ops->keys;
}

/* "x" and "K/J" are characters. */
static bool is_called(const char *name, struct key k)
{
	if (k.kind != KEY_KIND_CHAR)
		return false;
	if (k.cp == '\r')
		return strcmp(name, "Enter") == 0;
	for (; (uint32_t)name[0] != k.cp; name += 2)
		if (!name[0] || name[1] != '/')
			return false;
	return !name[1] || name[1] == '/';
}

bool view_run_key(struct tui *t, struct view *v, struct key k)
{
	for (const struct view_key *key = view_keys(v); key->key; key++)
		if (key->run && is_called(key->key, k)) {
			key->run(t, v, k.cp);
			return true;
		}
	return false;
}

void view_pop(struct tui *t)
{
	struct view *v = t->view;

	if (!v->below)
		return;
	t->view = v->below;
	v->ops->destroy(v);
	tui_redraw(t);
}

unsigned view_hold(struct tui *t)
{
	t->view->held = t->view->ops->holds;
	return t->view->held ? t->view->serial : 0;
}

bool view_release(struct tui *t, unsigned serial, bool done)
{
	if (!serial || t->view->serial != serial)
		return false;
	t->view->held = false;
	if (done)
		view_pop(t);
	return true;
}

void view_free(struct view *v)
{
	free(v);
}

void views_changed(struct tui *t)
{
	for (struct view *v = t->view; v; v = v->below)
		if (v->ops->changed)
			v->ops->changed(t, v);
}

void tui_quit(struct tui *t)
{
	loop_quit(t->loop);
}

void tui_set_message(struct tui *t, enum look look, const char *fmt, ...)
{
	va_list ap;
	char *text = NULL;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	free(t->message);
	t->message = text && *text ? text : NULL;
	if (!t->message)
		free(text);
	t->message_look = look;
	t->message_until_ms =
	    look == LOOK_PLAIN ? clock_mono_ms() + SAYS_MS : 0;
	tui_redraw(t);
}

void tui_reload_all(struct tui *t)
{
	t->reload_all = true;
	loop_timer_set_earlier(t->reload, 0);
}

/* Reading earlier shows nothing earlier, and a change in between would be seen
 * only one picture later. */
void tui_reload_soon(struct tui *t, int64_t ms)
{
	int64_t due = t->handed_over ? t->last_reload_ms : t->last_draw_ms;

	due += ms - clock_mono_ms();
	loop_timer_set_earlier(t->reload, due > 0 ? due : 0);
}

struct rect tui_body(void)
{
	struct rect r = paint_window();

	return (struct rect){1, 0, r.rows - 2, r.cols};
}

bool tui_is_cramped(void)
{
	struct rect r = paint_window();

	return r.cols < TERM_MIN_COLS || r.rows < TERM_MIN_ROWS;
}

void tui_release_terminal(struct tui *t)
{
	t->handed_over = true;
	bell_hush(t->bell, true);
	loop_io_events(t->input, 0);
	feed_select(t->feed, NULL);
	term_suspend();
}

void tui_reclaim_terminal(struct tui *t)
{
	term_resume();
	t->handed_over = false;
	bell_hush(t->bell, false);
	loop_io_events(t->input, POLLIN);
	tui_redraw(t);
}

bool tui_run_program(struct tui *t, struct job_request *rq)
{
	struct err err;

	rq->foreground = true;
	tui_release_terminal(t);
	fflush(stdout);
	if (jobs_start(t->jobs, rq, &err) == 0)
		return true;
	tui_reclaim_terminal(t);
	tui_set_message(t, LOOK_ERROR, "%s", err.what);
	if (rq->drop)
		rq->drop(rq->arg);
	return false;
}

void tui_cursor(struct tui *t, int row, int col)
{
	t->cursor_row = row;
	t->cursor_col = col;
}

void tui_lasts(struct tui *t, int64_t ms)
{
	if (t->lasts_ms < 0 || ms < t->lasts_ms)
		t->lasts_ms = ms;
}
