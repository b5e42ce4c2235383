/*
 * ls_feed.c - afw ls --watch --json: a line for each session that is new, has
 * changed or was removed (afw-hosts(7)).
 *
 * Only what has changed is read again: a session's files, or the board.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/json.h"
#include "commands/command.h"
#include "commands/launch/host_choice.h"
#include "commands/ls_watch.h"
#include "hosts/host_feed.h"
#include "session/disk/board.h"
#include "session/disk/dirs.h"
#include "session/live/changes.h"

#define BURST_MS 200  /* the shortest time between two readings, */
#define CALM_MS	 1000 /* and between two lines of a session that only prints */
#define ALIVE_MS 5000 /* the longest time without a line */

struct printed {
	char id[SPEC_ID_LEN + 1];
	uint64_t hash; /* of its line */
	uint64_t news; /* of what the user wants to know at once */
	int64_t at;    /* monotonic ms */
	bool late;     /* it has changed since, and waits for CALM_MS */
};

struct feed {
	const struct args *args;
	char *root, *here;
	struct loop *loop;
	struct changes *changes;
	struct host_feeds *feeds;
	struct loop_timer *reload, *alive;
	int64_t reloaded_at;
	struct strv changed;	  /* ids */
	bool all, board;	  /* what has changed, too */
	struct session_list list; /* of this machine */
	struct printed *printed;
	size_t n;
};

/* -- lines ----------------------------------------------------------------- */

/* Ends if the reader is gone. */
static void flush(struct feed *f)
{
	if (fflush(stdout) != 0)
		loop_quit(f->loop);
	loop_timer_set(f->alive, ALIVE_MS);
}

static void print_object(cJSON *o)
{
	_buf_ struct buf line = {0};

	json_print(o, &line);
	puts(line.data);
	cJSON_Delete(o);
}

static void print_time(struct feed *f)
{
	char now[CLOCK_RFC3339_SIZE];
	cJSON *o = cJSON_CreateObject();

	clock_format(clock_wall_ms(), now);
	json_set_str(o, "now", now);
	print_object(o);
	flush(f);
}

static void on_alive(void *ctx)
{
	print_time(ctx);
}

static struct printed *find_printed(struct feed *f, const char *id)
{
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->printed[i].id, id) == 0)
			return &f->printed[i];
	return NULL;
}

static void print_removed(struct feed *f, const char *id)
{
	struct printed *p = find_printed(f, id);
	cJSON *o;

	if (!p)
		return;
	o = cJSON_CreateObject();
	json_set_str(o, "id", p->id);
	json_set_bool(o, "removed", true);
	print_object(o);
	*p = f->printed[--f->n];
}

static uint64_t hash_news(const struct session *s)
{
	const struct state *st = &s->state;
	const int64_t numbers[] = {(int64_t)session_urgency(s), st->notices,
				   st->queued};
	const char *question = st->question_id ? st->question_id : "";

	return hash_add(hash_add(HASH_NONE, numbers, sizeof numbers), question,
			strlen(question));
}

/* Returns where to note the session's line; NULL: it must not be printed
 * now. */
static struct printed *begin_line(struct feed *f, const struct session *s)
{
	struct printed *p = find_printed(f, s->spec.id);
	uint64_t news = hash_news(s);
	int64_t now = clock_mono_ms();

	if (!p) {
		f->printed = mem_grow(f->printed, f->n, sizeof *f->printed);
		p = &f->printed[f->n++];
		*p = (struct printed){0};
		memcpy(p->id, s->spec.id, sizeof p->id);
	}
	p->late = !s->host && p->news == news && now - p->at < CALM_MS;
	if (p->late) {
		loop_timer_set_earlier(f->reload, p->at + CALM_MS - now);
		return NULL;
	}
	p->news = news;
	p->at = now;
	return p;
}

static void print_session(struct feed *f, const struct session *s)
{
	_buf_ struct buf line = {0};
	struct printed *p;
	uint64_t hash;
	cJSON *o;

	if (!ls_is_meant(s, f->args, f->here)) {
		print_removed(f, s->spec.id);
		return;
	}
	p = begin_line(f, s);
	if (!p)
		return;
	o = session_to_json(s);
	json_print(o, &line);
	cJSON_Delete(o);
	hash = hash_add(HASH_NONE, line.data, line.len);
	if (p->hash != hash)
		puts(line.data);
	p->hash = hash;
}

/* -- this machine ---------------------------------------------------------- */

static struct session *find_here(const struct session_list *l, const char *id)
{
	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->v[i].spec.id, id) == 0)
			return &l->v[i];
	return NULL;
}

static int read_all(struct feed *f, struct err *err)
{
	struct session_list now;

	if (session_list_load(&now, err) < 0) {
		session_list_finish(&now);
		return -1;
	}
	for (size_t i = 0; i < f->list.n; i++)
		if (!find_here(&now, f->list.v[i].spec.id))
			print_removed(f, f->list.v[i].spec.id);
	session_list_finish(&f->list);
	f->list = now;
	for (size_t i = 0; i < now.n; i++)
		print_session(f, &now.v[i]);
	return 0;
}

static void read_one(struct feed *f, const char *id)
{
	struct session_list *l = &f->list;
	struct session now, *old = find_here(l, id);

	if (session_load(&now, id, NULL) < 0)
		return;
	if (session_was_removed(&now)) {
		session_finish(&now);
		print_removed(f, id);
		if (old) {
			session_finish(old);
			*old = l->v[--l->n];
		}
		return;
	}
	if (old) {
		session_finish(old);
	} else {
		l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
		old = &l->v[l->n++];
	}
	*old = now;
	print_session(f, old);
}

static void read_board(struct feed *f)
{
	struct board *b = board_open(f->root);

	for (size_t i = 0; b && i < f->list.n; i++) {
		struct session *s = &f->list.v[i];

		if (s->alive && !s->broken &&
		    board_renew(b, s->spec.id, &s->state))
			print_session(f, s);
	}
	board_close(b);
}

static void print_late(struct feed *f)
{
	for (size_t i = 0; i < f->list.n; i++) {
		struct printed *p = find_printed(f, f->list.v[i].spec.id);

		if (p && p->late)
			print_session(f, &f->list.v[i]);
	}
}

static void on_reload(void *ctx)
{
	struct feed *f = ctx;

	f->reloaded_at = clock_mono_ms();
	if (f->all)
		read_all(f, NULL);
	for (size_t i = 0; !f->all && i < f->changed.n; i++)
		read_one(f, f->changed.v[i]);
	if (f->board)
		read_board(f);
	print_late(f);
	f->all = f->board = false;
	strv_finish(&f->changed);
	flush(f);
}

static void on_change(void *ctx, const char *id, const char *file)
{
	struct feed *f = ctx;
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

/* -- the hosts ------------------------------------------------------------- */

static void on_session(void *ctx, struct session *s)
{
	struct feed *f = ctx;

	if (!find_here(&f->list, s->spec.id))
		print_session(f, s);
	session_finish(s);
	loop_timer_set_earlier(f->reload, 0); /* it flushes */
}

static void on_removed(void *ctx, const char *host, const char *id)
{
	struct feed *f = ctx;

	(void)host;
	if (!find_here(&f->list, id))
		print_removed(f, id);
	loop_timer_set_earlier(f->reload, 0);
}

static void on_state(void *ctx, const struct host_state *state)
{
	static const char *const words[] = {"connecting", "reachable",
					    "unreachable"};
	char since[CLOCK_RFC3339_SIZE];
	cJSON *o = cJSON_CreateObject();

	clock_format(state->since, since);
	json_set_str(o, "host", state->host);
	json_set_str(o, "state", words[state->reach]);
	json_set_str(o, "since", since);
	json_set_text(o, "reason", *state->reason ? state->reason : NULL);
	print_object(o);
	flush(ctx);
}

/* -- all of it ------------------------------------------------------------- */

static void on_reader_gone(void *ctx, int fd, short revents)
{
	loop_quit(((struct feed *)ctx)->loop);
}

static void on_signal(void *ctx, int signo)
{
	struct feed *f = ctx;

	if (signo != SIGCHLD)
		loop_quit(f->loop);
	else if (f->feeds)
		host_feeds_reap(f->feeds);
}

static void listen_to_all(struct feed *f)
{
	static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP, 0};
	static const struct host_feed_events events = {on_session, on_removed,
						       on_state};
	struct stat st;

	loop_signals(f->loop, signals, on_signal, f);
	f->reload = loop_timer_add(f->loop, on_reload, f);
	f->alive = loop_timer_add(f->loop, on_alive, f);
	f->changes = changes_create();
	changes_add_all(f->changes, f->root, CHANGES_SHOWN);
	changes_listen(f->changes, f->loop, on_change, f);
	if (fstat(STDOUT_FILENO, &st) == 0 &&
	    (S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode)))
		loop_io_add(f->loop, STDOUT_FILENO, POLLERR, on_reader_gone, f);
	if (!args_has(f->args, "here"))
		f->feeds =
		    host_feeds_open(f->loop, host_configured(), &events, f);
}

int ls_feed(const struct args *args, struct err *err)
{
	struct feed f = {.args = args};
	int rc = -1;

	if (dirs_prepare(err) < 0 || !(f.root = dirs_sessions(err)))
		return -1;
	f.here = session_repository_here();
	f.loop = loop_create();
	listen_to_all(&f);
	print_time(&f);
	rc = read_all(&f, err);
	if (rc == 0) {
		print_time(&f);
		loop_run(f.loop);
	}
	host_feeds_close(f.feeds);
	changes_destroy(f.changes);
	loop_destroy(f.loop);
	session_list_finish(&f.list);
	strv_finish(&f.changed);
	free(f.printed);
	free(f.root);
	free(f.here);
	return rc;
}
