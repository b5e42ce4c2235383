/*
 * events.c - the event loop, and everything that wakes it.
 *
 * Keys are handled at once. All other events (a session's files, the selected
 * session's screen, a command that ended, the clock) only mark the picture as
 * outdated; it is drawn at most twenty times a second. A change of one session
 * reads only that session's files.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "session/live/changes.h"
#include "tui/child/job.h"
#include "tui/hosts.h"
#include "tui/model/bell.h"
#include "tui/child/conflicts.h"
#include "tui/preview/feed.h"
#include "tui/preview/remote.h"
#include "tui/preview/tabs.h"
#include "tui/term/keys.h"
#include "tui/term/mouse.h"
#include "tui/tui.h"

#define KEYS_AT_ONCE	4096
#define CHANGED_MAX	512 /* above this, all are read again */
#define CALM_MS		600 /* after a key nothing moves for this long */
#define LOCK_MS		200 /* a closed lock is released a moment later */
#define PASTE_SILENT_MS 1000

/* A session that is being made appears before its command has ended. */
static void find_made(struct tui *t)
{
	const struct session_list *l = &t->roster.list;

	for (size_t i = 0; i < l->n && t->wanted_since; i++) {
		/* The clock of another machine may differ. */
		if (l->v[i].host || l->v[i].spec.created_at < t->wanted_since)
			continue;
		memcpy(t->wanted, l->v[i].spec.id, sizeof t->wanted);
		t->wanted_since = 0;
	}
}

/* Updates the preview for the selection: after each key, as the next one may be
 * for that session, and before each picture. */
static void follow_selection(struct tui *t)
{
	const struct session *s;

	if (t->handed_over)
		return;
	find_made(t);
	/* Not below a view that was opened since. */
	if (t->wanted[0] &&
	    (t->view->below || roster_select(&t->roster, t->wanted)))
		t->wanted[0] = '\0';
	s = roster_selected(&t->roster);
	tabs_select(t->tabs, s);
	if (!t->preview && !t->roster.inbox)
		s = NULL;
	feed_select(t->feed, s && !s->host ? s : NULL);
	remote_select(t->remote, s);
}

/* A session that was snoozed until now is shown again. */
static void draw(struct tui *t)
{
	int64_t now = clock_wall_ms();

	if (t->roster.due_ms && now >= t->roster.due_ms)
		roster_arrange(&t->roster);
	follow_selection(t);
	tui_draw(t);
}

static void on_draw(void *ctx)
{
	draw(ctx);
}

void events_on_feed(void *ctx)
{
	tui_redraw(ctx);
}

static void on_arrange(void *ctx)
{
	struct tui *t = ctx;

	roster_arrange(&t->roster);
	tui_redraw(t);
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
	enum roster_change worst = t->hosts_changed;
	struct err err;

	if (t->reload_all) {
		worst = ROSTER_SET;
		if (roster_load(&t->roster, false, &err) < 0)
			tui_set_message(t, LOOK_ERROR, "%s", err.what);
	} else {
		read_changed(t, &worst);
		if (t->board_changed) {
			enum roster_change c = roster_update(&t->roster);

			worst = c > worst ? c : worst;
		}
	}
	t->reload_all = t->board_changed = false;
	t->hosts_changed = ROSTER_SAME;
	strv_finish(&t->changed);
	t->last_reload_ms = clock_mono_ms();
	/* Nothing moves while the user moves through the list. */
	if (worst == ROSTER_SET ||
	    (worst == ROSTER_REORDER &&
	     t->last_reload_ms - t->last_key_ms >= CALM_MS))
		on_arrange(t);
	else if (worst == ROSTER_REORDER)
		loop_timer_set_earlier(t->arrange, CALM_MS);
	else
		roster_count(&t->roster);
	bell_update(t->bell, &t->roster);
	conflicts_update(t->conflicts);
	follow_selection(t);
	tui_redraw(t);
	views_changed(t);
}

void events_on_change(void *ctx, const char *id, const char *file)
{
	struct tui *t = ctx;
	size_t i = 0;

	if (file && strcmp(file, CHANGES_BOARD) == 0) {
		t->board_changed = true;
		tui_reload_soon(t, TUI_REDRAW_MS);
		return;
	}
	if (!id || t->changed.n >= CHANGED_MAX)
		t->reload_all = true;
	while (id && i < t->changed.n && strcmp(t->changed.v[i], id) != 0)
		i++;
	if (id && i == t->changed.n)
		strv_add(&t->changed, id);
	/* The kernel reports the close before it releases the lock. */
	if (file && strcmp(file, "lock") == 0)
		loop_timer_set_earlier(t->reload, LOCK_MS);
	else
		tui_reload_soon(t, TUI_REDRAW_MS);
}

static void clear_message(struct tui *t)
{
	free(t->message);
	free(t->since);
	t->message = t->since = NULL;
}

static void on_mouse(struct tui *t, struct mouse m)
{
	if (!t->view->ops->mouse)
		return;
	if (m.what == MOUSE_PRESS)
		clear_message(t);
	t->view->ops->mouse(t, t->view, &m);
}

static void on_key(struct tui *t, struct key k)
{
	/* A paste without a text field is not a command. */
	if (k.kind == KEY_KIND_PASTE && !t->view->below)
		return;
	/* Ignore keys if the window is too small to show what they do. */
	if (tui_is_cramped() && (t->view->below || keys_act(k) != ACT_QUIT))
		return;
	/* Keys typed ahead were meant for a view that its command may close:
	 * drop them. */
	if (t->view->held) {
		if (key_is_cancel(k))
			view_pop(t);
		return;
	}
	if (k.kind == KEY_KIND_MOUSE) {
		on_mouse(t, mouse_unpack(k.cp));
		return;
	}
	clear_message(t);
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
	       (k = term_key()).kind != KEY_KIND_NONE) {
		on_key(t, k);
		follow_selection(t);
	}
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
		draw(t);
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

void events_on_signal(void *ctx, int signo)
{
	struct tui *t = ctx;

	switch (signo) {
	case SIGCHLD:
		jobs_reap(t->jobs);
		hosts_reap(t);
		break;
	case SIGWINCH:
		if (!t->handed_over) {
			term_resize();
			tui_redraw(t);
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

void events_start(struct tui *t)
{
	t->draw = loop_timer_add(t->loop, on_draw, t);
	t->reload = loop_timer_add(t->loop, on_reload, t);
	t->arrange = loop_timer_add(t->loop, on_arrange, t);
	t->age = loop_timer_add(t->loop, on_draw, t);
	t->input_more = loop_timer_add(t->loop, on_input_more, t);
}

void events_listen(struct tui *t)
{
	t->input = loop_io_add(t->loop, STDIN_FILENO, POLLIN, on_input, t);
	on_arrange(t);
	bell_update(t->bell, &t->roster);
	conflicts_update(t->conflicts);
	draw(t);
}
