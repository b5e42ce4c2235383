/*
 * ls_watch.c - afw ls --watch: the table, drawn again as it changes.
 *
 * The sessions of this machine are read again for each picture; those of other
 * machines stay between two pictures, also if their machine is unreachable.
 */
#include "commands/ls_watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "commands/cli/fullscreen.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/host_choice.h"
#include "hosts/host_feed.h"
#include "session/disk/dirs.h"
#include "session/live/changes.h"

#define BURST_MS 100
#define AGES_MS	 5000 /* the longest time between two pictures */

struct watch {
	const struct args *args;
	const struct ls_table *table;
	const struct host_list *hosts; /* none with --here */
	struct loop *loop;
	struct changes *changes;
	struct host_feeds *feeds;
	struct session_list there; /* of the hosts */
};

/* -- the hosts ------------------------------------------------------------- */

static size_t find_there(const struct watch *w, const char *id)
{
	size_t i = 0;

	while (i < w->there.n && strcmp(w->there.v[i].spec.id, id) != 0)
		i++;
	return i;
}

static void on_session(void *ctx, struct session *s)
{
	struct watch *w = ctx;
	struct session_list *l = &w->there;
	size_t i = find_there(w, s->spec.id);

	if (i < l->n) {
		session_finish(&l->v[i]);
	} else {
		l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
		l->n++;
	}
	l->v[i] = *s;
}

static void on_removed(void *ctx, const char *host, const char *id)
{
	struct watch *w = ctx;
	size_t i = find_there(w, id);

	(void)host;
	if (i == w->there.n)
		return;
	session_finish(&w->there.v[i]);
	w->there.v[i] = w->there.v[--w->there.n];
}

static void on_state(void *ctx, const struct host_state *state)
{
	(void)ctx, (void)state; /* each picture asks for it */
}

/* Prints a line for each host that is not reachable; returns how many there
 * are, if out is NULL only that. */
static size_t print_unreachable(const struct watch *w, FILE *out)
{
	char age[24];
	size_t n = 0;

	for (size_t i = 0; i < w->hosts->n; i++) {
		const struct host_state *s =
		    host_feeds_state(w->feeds, w->hosts->v[i].name);

		if (s->reach != HOST_UNREACHABLE)
			continue;
		n++;
		clock_age(clock_wall_ms() - s->since, age, sizeof age);
		if (out)
			output_line(out, "%s: unreachable for %s: %s", s->host,
				    age, s->reason);
	}
	return n;
}

/* -- the picture ----------------------------------------------------------- */

/* Draws the list; the last line of the screen stays free. */
static void draw_list(const struct watch *w, const struct session_list *l)
{
	size_t rows = (size_t)fullscreen_rows(), lines = l->n, shown = 0;
	size_t taken = 2 + print_unreachable(w, NULL);
	size_t most = rows > taken ? rows - taken : 1;
	bool several = session_list_is_mixed(l);

	for (size_t i = 0; several && i < l->n; i++)
		lines += ls_begins_group(l, i);
	most -= lines > most; /* "and 3 more" */
	fullscreen_clear();
	if (!l->n)
		printf("no sessions\n");
	else
		shown = ls_print_table(l, w->table, most);
	if (l->n > shown)
		printf("and %zu more\n", l->n - shown);
	print_unreachable(w, stdout);
	fflush(stdout);
}

/* Moves the sessions of the hosts to the end of l, or back; of those that l
 * already has, this machine's count. */
static void move_there(struct watch *w, struct session_list *l, bool back)
{
	struct session_list *from = back ? l : &w->there;
	struct session_list *to = back ? &w->there : l;
	size_t n = 0;

	if (!from->n)
		return;
	to->v = mem_realloc(to->v, (to->n + from->n) * sizeof *to->v);
	for (size_t i = 0; i < from->n; i++)
		if (from->v[i].host)
			to->v[to->n++] = from->v[i];
		else
			from->v[n++] = from->v[i];
	from->n = n;
}

static int draw(struct watch *w, struct err *err)
{
	struct session_list l;
	int rc = w->table->files ? session_list_load(&l, err)
				 : session_list_load_board(&l, err);

	if (rc == 0) {
		move_there(w, &l, false);
		ls_filter(&l, w->args);
		ls_sort(&l);
		draw_list(w, &l);
		move_there(w, &l, true);
	}
	session_list_finish(&l);
	return rc;
}

/* -- what wakes it --------------------------------------------------------- */

static void on_change(void *ctx, const char *id, const char *file)
{
	(void)ctx, (void)id, (void)file; /* any event draws */
}

static void on_input(void *ctx, int fd, short revents)
{
	(void)ctx, (void)fd, (void)revents; /* fullscreen_pause() reads it */
}

static void on_signal(void *ctx, int signo)
{
	struct watch *w = ctx;

	(void)signo;
	host_feeds_reap(w->feeds);
}

static int open_watch(struct watch *w, struct err *err)
{
	static const struct host_feed_events events = {on_session, on_removed,
						       on_state};
	static const int signals[] = {SIGCHLD, 0};
	char *root;

	if (dirs_prepare(err) < 0 || !(root = dirs_sessions(err)))
		return -1;
	w->loop = loop_create();
	loop_signals(w->loop, signals, on_signal, w);
	w->changes = changes_create();
	changes_add_all(w->changes, root, CHANGES_SHOWN);
	changes_listen(w->changes, w->loop, on_change, w);
	loop_io_add(w->loop, STDIN_FILENO, POLLIN, on_input, w);
	w->feeds = host_feeds_open(w->loop, w->hosts, &events, w);
	free(root);
	return 0;
}

static void close_watch(struct watch *w)
{
	host_feeds_close(w->feeds);
	changes_destroy(w->changes);
	loop_destroy(w->loop);
	session_list_finish(&w->there);
}

int ls_watch(const struct args *args, const struct ls_table *t, struct err *err)
{
	static const struct host_list none;
	struct watch w = {.args = args,
			  .table = t,
			  .hosts = args_has(args, "here") ? &none
							  : host_configured()};
	struct fullscreen screen;
	int rc;

	if (!fullscreen_possible()) {
		err_set(err, ERR_USAGE, "ls: --watch needs a terminal");
		return err_hint(
		    err, "`afw events -f` prints what happens, also to a pipe");
	}
	if (open_watch(&w, err) < 0)
		return -1;
	rc = fullscreen_begin(&screen, "ls", err);
	if (rc == 0) {
		/* Changes in quick succession become one picture. */
		while ((rc = draw(&w, err)) == 0) {
			loop_once(w.loop, AGES_MS);
			if (!fullscreen_pause(BURST_MS))
				break;
		}
		fullscreen_end(&screen);
	}
	close_watch(&w);
	return rc;
}
