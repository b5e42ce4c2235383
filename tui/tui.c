/*
 * tui.c - the dashboard's heart: one loop, and what wakes it.
 *
 * Keys are answered at once. All else (a session's files, the selected
 * session's screen, a command that ended, the clock) only marks the picture
 * as stale; it is drawn at most twenty times a second. A change of one
 * session reads that session's files and no others.
 */
#include "tui/tui.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "tui/model/bell.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"

#define KEYS_AT_ONCE	4096
#define CHANGED_MAX	512  /* then all are read again */
#define CALM_MS		600  /* after a key nothing moves for so long */
#define LOCK_MS		200  /* a closed lock is free a moment later */
#define SAYS_MS		6000 /* what is only good to know */
#define PASTE_SILENT_MS 1000

/* Soon. */
static void redraw(struct tui *t)
{
	int64_t due = t->last_draw_ms + TUI_REDRAW_MS - clock_mono_ms();

	loop_timer_set_earlier(t->draw, due > 0 ? due : 0);
}

void view_push(struct tui *t, struct view *v)
{
	v->below = t->view;
	v->serial = ++t->views;
	t->view = v;
	redraw(t);
}

const struct hint *view_hints(const struct view *v)
{
	return v->hints ? v->hints : v->ops->hints;
}

void view_pop(struct tui *t)
{
	struct view *v = t->view;

	if (!v->below)
		return;
	t->view = v->below;
	v->ops->destroy(v);
	redraw(t);
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

void tui_say(struct tui *t, enum look look, const char *fmt, ...)
{
	va_list ap;
	char *text = NULL;

	va_start(ap, fmt);
	if (vasprintf(&text, fmt, ap) < 0)
		text = NULL;
	va_end(ap);
	free(t->says);
	t->says = text && *text ? text : NULL;
	if (!t->says)
		free(text);
	t->says_look = look;
	t->says_until_ms = look == LOOK_PLAIN ? clock_mono_ms() + SAYS_MS : 0;
	redraw(t);
}

void tui_selection_changed(struct tui *t)
{
	/* Not below what has been opened since. */
	if (t->wanted[0] &&
	    (t->view->below || roster_select(&t->roster, t->wanted)))
		t->wanted[0] = '\0';
	feed_select(t->feed, (t->preview || t->roster.inbox) && !t->handed_over
				 ? roster_selected(&t->roster)
				 : NULL);
	tabs_select(t->tabs,
		    t->handed_over ? NULL : roster_selected(&t->roster));
	redraw(t);
}

static void on_draw(void *ctx)
{
	tui_draw(ctx);
}

void tui_on_feed(void *ctx)
{
	redraw(ctx);
}

void tui_reload_all(struct tui *t)
{
	t->reload_all = true;
	loop_timer_set_earlier(t->reload, 0);
}

static void on_arrange(void *ctx)
{
	struct tui *t = ctx;

	roster_arrange(&t->roster);
	tui_selection_changed(t);
}

static void read_changed(struct tui *t, enum roster_change *worst)
{
	for (size_t i = 0; i < t->changed.n; i++) {
		enum roster_change c =
		    roster_reload(&t->roster, t->changed.v[i]);

		if (c > *worst)
			*worst = c;
	}
}

static void on_reload(void *ctx)
{
	struct tui *t = ctx;
	enum roster_change worst = ROSTER_SAME;
	struct err err;

	if (t->reload_all) {
		worst = ROSTER_SET;
		if (roster_load(&t->roster, false, &err) < 0)
			tui_say(t, LOOK_ERROR, "%s", err.what);
	} else {
		read_changed(t, &worst);
		if (t->board_changed) {
			enum roster_change c = roster_update(&t->roster);

			worst = c > worst ? c : worst;
		}
	}
	t->reload_all = t->board_changed = false;
	strv_finish(&t->changed);
	t->last_reload_ms = clock_mono_ms();
	/* Nothing moves while the user goes through the list. */
	if (worst == ROSTER_SET ||
	    (worst == ROSTER_REORDER &&
	     t->last_reload_ms - t->last_key_ms >= CALM_MS))
		on_arrange(t);
	else if (worst == ROSTER_REORDER)
		loop_timer_set_earlier(t->arrange, CALM_MS);
	else
		roster_count(&t->roster);
	bell_look(t->bell, &t->roster);
	clash_look(t->clash);
	tui_selection_changed(t);
	views_changed(t);
}

void tui_on_change(void *ctx, const char *id, const char *file)
{
	struct tui *t = ctx;
	int64_t due;
	size_t i = 0;

	/* With the next picture: what is read sooner is not seen sooner, and
	 * what changes until then would be seen only in the one after it. */
	due = t->handed_over ? t->last_reload_ms : t->last_draw_ms;
	due += TUI_REDRAW_MS - clock_mono_ms();
	if (file && strcmp(file, WATCH_BOARD) == 0) {
		t->board_changed = true;
		loop_timer_set_earlier(t->reload, due > 0 ? due : 0);
		return;
	}
	if (!id || t->changed.n >= CHANGED_MAX)
		t->reload_all = true;
	while (id && i < t->changed.n && strcmp(t->changed.v[i], id) != 0)
		i++;
	if (id && i == t->changed.n)
		strv_add(&t->changed, id);
	/* The kernel tells of the close before it lets go of the lock. */
	if (file && strcmp(file, "lock") == 0 && due < LOCK_MS)
		loop_timer_set_earlier(t->reload, LOCK_MS);
	else
		loop_timer_set_earlier(t->reload, due > 0 ? due : 0);
}

bool tui_is_cramped(void)
{
	struct rect r = paint_window();

	return r.cols < TERM_MIN_COLS || r.rows < TERM_MIN_ROWS;
}

static void on_mouse(struct tui *t, struct mouse m)
{
	if (!t->view->ops->mouse)
		return;
	if (m.what == MOUSE_PRESS) {
		free(t->says);
		t->says = NULL;
	}
	t->view->ops->mouse(t, t->view, &m);
}

static void on_key(struct tui *t, struct key k)
{
	/* A paste where nothing is written into is no command. */
	if (k.kind == KEY_KIND_PASTE && !t->view->below)
		return;
	/* Nobody types into what is not seen. */
	if (tui_is_cramped() && (t->view->below || keys_act(k) != ACT_QUIT))
		return;
	/* What is typed ahead is for what its command comes to: for nothing. */
	if (t->view->held) {
		if (key_is_cancel(k))
			view_pop(t);
		return;
	}
	if (k.kind == KEY_KIND_MOUSE) {
		on_mouse(t, mouse_unpack(k.cp));
		return;
	}
	free(t->says);
	t->says = NULL;
	if (t->view->ops->has_help && keys_act(k) == ACT_HELP)
		view_push(t, help_view(t, t->view));
	else
		t->view->ops->key(t, t->view, k);
}

static void on_input(void *ctx, int fd, short revents)
{
	struct tui *t = ctx;
	struct key k;
	int n = 0;

	while (!t->handed_over && n++ < KEYS_AT_ONCE &&
	       (k = term_key()).kind != KEY_KIND_NONE)
		on_key(t, k);
	if (n == 1 && (revents & (POLLHUP | POLLERR))) {
		tui_quit(t); /* the terminal is gone */
		return;
	}
	t->last_key_ms = clock_mono_ms();
	if (n > KEYS_AT_ONCE)
		loop_timer_set(t->input_more, 0);
	else if (term_in_paste())
		loop_timer_set(t->input_more, PASTE_SILENT_MS);
	if (!t->handed_over) {
		loop_timer_stop(t->draw);
		tui_draw(t);
	}
}

static void on_input_more(void *ctx)
{
	struct tui *t = ctx;

	on_input(t, STDIN_FILENO, POLLIN);
	if (!loop_timer_active(t->input_more))
		return;
	if (term_in_paste()) {
		term_paste_ended();
		loop_timer_stop(t->input_more);
	}
}

void tui_on_signal(void *ctx, int signo)
{
	struct tui *t = ctx;

	switch (signo) {
	case SIGCHLD:
		jobs_reap(t->jobs);
		break;
	case SIGWINCH:
		if (!t->handed_over) {
			term_resize();
			redraw(t);
		}
		break;
	case SIGINT:
		/* Meant for the child that has the terminal, if one has. */
		if (t->handed_over)
			break;
		tui_quit(t);
		break;
	default:
		jobs_foreground_kill(t->jobs, signo);
		t->exit_code = 128 + signo;
		tui_quit(t);
		break;
	}
}

void tui_hand_over(struct tui *t)
{
	t->handed_over = true;
	bell_hush(t->bell, true);
	loop_io_events(t->input, 0);
	feed_select(t->feed, NULL);
	term_suspend();
}

void tui_take_back(struct tui *t)
{
	term_resume();
	t->handed_over = false;
	bell_hush(t->bell, false);
	loop_io_events(t->input, POLLIN);
	tui_selection_changed(t);
}

bool tui_run_program(struct tui *t, struct job_request *rq, const char *text)
{
	struct err err;

	rq->foreground = true;
	tui_hand_over(t);
	if (text)
		printf("%s\r\n", text);
	fflush(stdout);
	if (jobs_start(t->jobs, rq, &err) == 0)
		return true;
	tui_take_back(t);
	tui_say(t, LOOK_ERROR, "%s", err.what);
	if (rq->drop)
		rq->drop(rq->arg);
	return false;
}

void tui_start_timers(struct tui *t)
{
	t->draw = loop_timer_add(t->loop, on_draw, t);
	t->reload = loop_timer_add(t->loop, on_reload, t);
	t->arrange = loop_timer_add(t->loop, on_arrange, t);
	t->age = loop_timer_add(t->loop, on_draw, t);
	t->input_more = loop_timer_add(t->loop, on_input_more, t);
}

void tui_listen(struct tui *t)
{
	t->input = loop_io_add(t->loop, STDIN_FILENO, POLLIN, on_input, t);
	on_arrange(t);
	bell_look(t->bell, &t->roster);
	clash_look(t->clash);
	tui_draw(t);
}
