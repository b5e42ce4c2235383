/* ls_watch.c - afw ls --watch: the table, drawn again as it changes. */
#include "commands/ls_watch.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/mem.h"
#include "commands/cli/fullscreen.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/ls_follow.h"

#define BURST_MS 100
#define AGES_MS	 5000 /* the longest time between two pictures */

/* Prints a line for each host that is unreachable; returns how many there are,
 * if out is NULL only that. */
static size_t print_unreachable(const struct ls_follow *f, FILE *out)
{
	char age[24];
	size_t n = 0;

	for (size_t i = 0; i < f->hosts->n; i++) {
		const struct host_state *s =
		    host_feeds_state(f->feeds, f->hosts->v[i].name);

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

/* Draws the list; the last line of the screen stays free. */
static void draw_list(const struct ls_follow *f, const struct session_list *l,
		      const struct ls_hidden *h, const struct ls_table *table)
{
	_buf_ struct buf hidden = {0};
	size_t rows = (size_t)fullscreen_rows(), lines = l->n, shown = 0;
	size_t taken = 2 + print_unreachable(f, NULL);
	size_t most;
	bool several = session_list_is_mixed(l);

	ls_hidden_print(h, &hidden);
	taken += hidden.len > 0;
	most = rows > taken ? rows - taken : 1;
	for (size_t i = 0; several && i < l->n; i++)
		lines += ls_begins_group(l, i);
	most -= lines > most; /* "and 3 more" */
	fullscreen_clear();
	if (!l->n)
		printf("no sessions\n");
	else
		shown = ls_print_table(l, table, most);
	if (l->n > shown)
		printf("and %zu more\n", l->n - shown);
	if (hidden.len)
		output_line(stdout, "%s", hidden.data);
	print_unreachable(f, stdout);
	fflush(stdout);
}

static void draw(struct ls_follow *f, const struct args *args,
		 const struct ls_table *table)
{
	char *here = session_repository_here();
	struct ls_hidden hidden = {0};
	struct session_list meant = {
	    .v = mem_alloc(f->list.n * sizeof *f->list.v)};

	ls_sort(&f->list);
	for (size_t i = 0; i < f->list.n; i++)
		if (ls_is_meant(&f->list.v[i], args, here, &hidden))
			meant.v[meant.n++] = f->list.v[i]; /* borrowed */
	draw_list(f, &meant, &hidden, table);
	ls_hidden_finish(&hidden);
	free(meant.v);
	free(here);
}

static void on_input(void *ctx, int fd, short revents)
{
	(void)ctx, (void)fd, (void)revents; /* fullscreen_pause() reads it */
}

int ls_watch(const struct args *args, const struct ls_table *t, struct err *err)
{
	static const int signals[] = {SIGCHLD, 0};
	struct fullscreen screen;
	struct ls_follow f;
	int rc;

	if (!fullscreen_possible()) {
		err_set(err, ERR_USAGE, "ls: --watch needs a terminal");
		return err_hint(
		    err, "`afw events -f` prints what happens, also to a pipe");
	}
	rc = ls_follow_open(&f, !args_has(args, "here"), signals, NULL, NULL,
			    err);
	if (rc == 0)
		loop_io_add(f.loop, STDIN_FILENO, POLLIN, on_input, NULL);
	if (rc == 0 && (rc = fullscreen_begin(&screen, "ls", err)) == 0) {
		do {
			draw(&f, args, t);
			loop_once(f.loop, AGES_MS);
			/* Changes in quick succession become one picture. */
		} while (fullscreen_pause(BURST_MS));
		fullscreen_end(&screen);
	}
	ls_follow_close(&f);
	return rc;
}
