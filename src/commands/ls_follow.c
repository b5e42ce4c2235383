/*
 * ls_follow.c - the sessions of this machine and of the hosts, kept current.
 *
 * Only what has changed is read again: a session's files, or the board.
 */
#include "commands/ls_follow.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "commands/launch/host_choice.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/live/changes.h"

#define BURST_MS 200  /* the shortest time between two readings */
#define ALL_MS	 5000 /* all are read this often: no event reports a lock */

static void report(struct ls_follow *f, const char *id, const struct session *s)
{
	if (f->events)
		f->events->changed(f->ctx, id, s);
}

static struct session *find(struct ls_follow *f, const char *id)
{
	for (size_t i = 0; i < f->list.n; i++)
		if (strcmp(f->list.v[i].spec.id, id) == 0)
			return &f->list.v[i];
	return NULL;
}

static void drop(struct ls_follow *f, struct session *old)
{
	char id[SPEC_ID_LEN + 1];

	memcpy(id, old->spec.id, sizeof id);
	session_finish(old);
	*old = f->list.v[--f->list.n];
	report(f, id, NULL);
}

/* Takes now over. */
static void put(struct ls_follow *f, struct session *now)
{
	struct session *old = find(f, now->spec.id);

	/* A host may be this machine. */
	if (old && now->host && !old->host) {
		session_finish(now);
		return;
	}
	if (old) {
		session_finish(old);
	} else {
		f->list.v =
		    mem_realloc(f->list.v, (f->list.n + 1) * sizeof *f->list.v);
		old = &f->list.v[f->list.n++];
	}
	*old = *now;
	report(f, old->spec.id, old);
}

/* -- this machine ---------------------------------------------------------- */

static int read_all(struct ls_follow *f, struct err *err)
{
	struct session_list now;

	if (session_list_load(&now, err) < 0) {
		session_list_finish(&now);
		return -1;
	}
	for (size_t i = f->list.n; i-- > 0;) {
		bool gone = !f->list.v[i].host;

		for (size_t k = 0; gone && k < now.n; k++)
			gone =
			    strcmp(now.v[k].spec.id, f->list.v[i].spec.id) != 0;
		if (gone)
			drop(f, &f->list.v[i]);
	}
	for (size_t i = 0; i < now.n; i++)
		put(f, &now.v[i]);
	free(now.v);
	f->all_at = clock_mono_ms();
	loop_timer_set_earlier(f->reload, ALL_MS);
	return 0;
}

static void read_one(struct ls_follow *f, const char *id)
{
	struct session now, *old = find(f, id);

	if (session_load(&now, id, NULL) < 0)
		return;
	if (!session_was_removed(&now)) {
		put(f, &now);
		return;
	}
	session_finish(&now);
	if (old && !old->host)
		drop(f, old);
}

static void read_board(struct ls_follow *f)
{
	struct board *b = board_open(f->root);

	for (size_t i = 0; b && i < f->list.n; i++) {
		struct session *s = &f->list.v[i];

		if (!s->host && s->alive && !s->broken &&
		    board_renew(b, s->spec.id, &s->state))
			report(f, s->spec.id, s);
	}
	board_close(b);
}

static void on_reload(void *ctx)
{
	struct ls_follow *f = ctx;

	f->reloaded_at = clock_mono_ms();
	f->all |= f->reloaded_at - f->all_at >= ALL_MS;
	if (f->all)
		read_all(f, NULL);
	for (size_t i = 0; !f->all && i < f->changed.n; i++)
		read_one(f, f->changed.v[i]);
	if (f->board)
		read_board(f);
	f->all = f->board = false;
	strv_finish(&f->changed);
	loop_timer_set(f->reload, ALL_MS);
	if (f->events)
		f->events->settled(f->ctx);
}

static void on_change(void *ctx, const char *id, const char *file)
{
	struct ls_follow *f = ctx;
	int64_t due = f->reloaded_at + BURST_MS - clock_mono_ms();

	if (file && strcmp(file, CHANGES_BOARD) == 0)
		f->board = true;
	else if (!id)
		f->all = true;
	else if (!strv_has(&f->changed, id))
		strv_add(&f->changed, id);
	/* A lock is released a moment after its file is reported. */
	if (file && strcmp(file, "lock") == 0)
		due = BURST_MS;
	loop_timer_set_earlier(f->reload, due > 0 ? due : 0);
}

void ls_follow_soon(struct ls_follow *f, int64_t ms)
{
	loop_timer_set_earlier(f->reload, ms);
}

/* -- the hosts ------------------------------------------------------------- */

static void on_session(void *ctx, struct session *s)
{
	put(ctx, s);
	ls_follow_soon(ctx, 0);
}

static void on_removed(void *ctx, const char *host, const char *id)
{
	struct session *old = find(ctx, id);

	if (old && old->host && strcmp(old->host, host) == 0)
		drop(ctx, old);
	ls_follow_soon(ctx, 0);
}

static void on_state(void *ctx, const struct host_state *state)
{
	struct ls_follow *f = ctx;

	if (f->events)
		f->events->host(f->ctx, state);
	ls_follow_soon(f, 0);
}

/* -- all of it ------------------------------------------------------------- */

static void on_signal(void *ctx, int signo)
{
	struct ls_follow *f = ctx;

	if (signo != SIGCHLD)
		loop_quit(f->loop);
	else if (f->feeds)
		host_feeds_reap(f->feeds);
}

int ls_follow_open(struct ls_follow *f, bool hosts, const int *signals,
		   const struct ls_follow_events *events, void *ctx,
		   struct err *err)
{
	static const struct host_feed_events there = {on_session, on_removed,
						      on_state};
	static const struct host_list none;

	*f = (struct ls_follow){.events = events,
				.ctx = ctx,
				.hosts = hosts ? host_configured() : &none};
	if (dirs_prepare(err) < 0 || !(f->root = dirs_sessions(err)))
		return -1;
	f->loop = loop_create();
	loop_signals(f->loop, signals, on_signal, f);
	f->reload = loop_timer_add(f->loop, on_reload, f);
	f->changes = changes_create();
	changes_add_all(f->changes, f->root, CHANGES_SHOWN);
	changes_listen(f->changes, f->loop, on_change, f);
	if (read_all(f, err) < 0)
		return -1;
	f->feeds = host_feeds_open(f->loop, f->hosts, &there, f);
	return 0;
}

void ls_follow_close(struct ls_follow *f)
{
	host_feeds_close(f->feeds);
	changes_destroy(f->changes);
	loop_destroy(f->loop);
	session_list_finish(&f->list);
	strv_finish(&f->changed);
	free(f->root);
}
