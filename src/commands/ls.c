/*
 * ls.c - afw ls: all sessions, from their files alone.
 *
 * One broken session never hides the others and is no failure of ls: it is
 * listed with what is wrong with it. Where the list itself cannot be read to
 * its end, what was read is shown, and ls fails.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "commands/cli/fullscreen.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/recount.h"
#include "session/disk/dirs.h"
#include "session/disk/groups.h"
#include "session/live/changes.h"
#include "session/live/processes.h"

#define NARROW	    100 /* columns: below, the branch is left out */
#define VERY_NARROW 64	/* and the age */
#define BURST_MS    100

static const struct command_option options[] = {
    {.name = "group",
     .letter = 'g',
     .arg = "GROUP",
     .help = "only sessions of this group"},
    {.name = "here", .help = "only sessions of this repository"},
    {.name = "merged", .help = "only sessions whose work is merged"},
    {.name = "quiet", .letter = 'q', .help = "names only, one a line"},
    {.name = "watch",
     .letter = 'w',
     .help = "draw the table again as it changes, until q"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

static const char *const titles[] = {"NAME",  "HARNESS", "STATE",
				     ">FOR",  ">AGE",	 "BRANCH",
				     "CHECK", "CHANGES", "SAYS"};
#define COLUMNS (sizeof titles / sizeof titles[0])

/* Forgets those that are not asked for; says how many. */
static size_t keep(struct session_list *l, const struct args *args)
{
	const char *group = args_value(args, "group");
	bool here_only = args_has(args, "here");
	bool merged = args_has(args, "merged");
	char *here = here_only ? session_repository_here() : NULL;
	size_t n = 0, before = l->n;

	for (size_t i = 0; i < l->n; i++) {
		const struct session *s = &l->v[i];

		if ((!here_only || session_is_here(s, here)) &&
		    (!group || groups_has(s->dir, group)) &&
		    (!merged || s->state.counts.merged > 0))
			l->v[n++] = l->v[i];
		else
			session_finish(&l->v[i]);
	}
	l->n = n;
	free(here);
	return before - n;
}

/* qsort has no context. */
static const char *sorting_here;

static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : !a - !b;
}

static int compare(const void *a, const void *b)
{
	const struct session *x = a, *y = b;
	bool mixed = sorting_here != NULL;
	int d = mixed ? session_is_here(y, sorting_here) -
			    session_is_here(x, sorting_here)
		      : 0;

	if (mixed && !d)
		d = compare_text(x->spec.repository_name,
				 y->spec.repository_name);
	if (mixed && !d)
		d = compare_text(x->spec.repository, y->spec.repository);
	d = d ? d : (int)session_urgency(x) - (int)session_urgency(y);
	d = d ? d
	      : (x->spec.created_at > y->spec.created_at) -
		    (x->spec.created_at < y->spec.created_at);
	return d ? d : strcmp(x->spec.id, y->spec.id);
}

/* By repository, if there are several: this one, then by name. Then by
 * urgency and age. */
static void arrange(struct session_list *l)
{
	char *here =
	    session_list_is_mixed(l) ? session_repository_here() : NULL;

	sorting_here = !session_list_is_mixed(l) ? NULL : here ? here : "";
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, compare);
	free(here);
}

static void add_age(struct table *t, int64_t now, int64_t since)
{
	int64_t age = now > since ? now - since : 0;

	table_age(t, since > 0 ? age : -1);
}

static void add_changes(struct table *t, const struct counts *c)
{
	if (c->lines_added < 0 && c->lines_removed < 0)
		table_cell(t, "-", NULL);
	else if (c->merged > 0)
		table_cell(t, "merged", NULL);
	else
		table_cellf(
		    t, "+%lld -%lld",
		    c->lines_added < 0 ? 0LL : (long long)c->lines_added,
		    c->lines_removed < 0 ? 0LL : (long long)c->lines_removed);
}

/* Whether the i-th one has a heading in front. */
static bool begins_group(const struct session_list *l, size_t i)
{
	return session_list_is_mixed(l) &&
	       (i == 0 || compare_text(l->v[i - 1].spec.repository,
				       l->v[i].spec.repository) != 0);
}

/* "shop (/src/shop)" */
static void add_heading(struct table *t, const struct session *s)
{
	char *text =
	    s->spec.repository
		? mem_printf("%s (%s)",
			     s->spec.repository_name ? s->spec.repository_name
						     : "?",
			     s->spec.repository)
		: mem_strdup("no repository");

	table_heading(t, text, "\033[1m");
	free(text);
}

static void add_row(struct table *t, const struct session *s, bool several,
		    int64_t now)
{
	char *name = mem_printf("%s%s", several ? "  " : "", s->spec.name);
	struct buf says = {0};

	table_cell(t, name, several ? "" : "\033[1m");
	free(name);
	table_cell(t, s->spec.harness, NULL);
	table_cell(t, session_status_word(s), output_sgr(s));
	add_age(t, now, session_since(s));
	add_age(t, now, s->spec.created_at);
	table_cell(t, s->spec.branch, NULL);
	table_cell(t, session_check_mark(s, utf8_locale()), NULL);
	add_changes(t, &s->state.counts);
	session_summary(s, &says);
	table_cell(t, says.data ? says.data : "",
		   session_urgency(s) <= WORD_FAILED ? "" : "\033[2m");
	buf_finish(&says);
}

/* In at most most lines; returns how many sessions that are. */
static size_t print_table(const struct session_list *l, size_t most)
{
	struct table *t = table_create(COLUMNS, titles);
	bool several = session_list_is_mixed(l);
	int64_t now = clock_wall_ms();
	int width = output_width();
	bool checked = false;
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++)
		checked |= l->v[i].state.check != NULL;
	if (!checked)
		table_hide(t, 6);
	if (width && width < VERY_NARROW)
		table_hide(t, 4);
	if (width && width < NARROW)
		table_hide(t, 5);
	for (; n < l->n && most > 0; n++, most--) {
		if (begins_group(l, n)) {
			if (--most == 0)
				break;
			add_heading(t, &l->v[n]);
		}
		add_row(t, &l->v[n], several, now);
	}
	table_end(t);
	return n;
}

/* As a command takes them here, which is also what completion offers. */
static void print_names(const struct session_list *l)
{
	bool several = session_list_is_mixed(l);
	char *here = several ? session_repository_here() : NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct session *s = &l->v[i];
		bool is_here = here && session_is_here(s, here);

		/* A repository's name may have anything in it. */
		if (several && !is_here && s->spec.repository_name)
			output_line(stdout, "%s/%s", s->spec.repository_name,
				    s->spec.name);
		else
			output_line(stdout, "%s", s->spec.name);
	}
	free(here);
}

static void print_json(const struct session_list *l)
{
	cJSON *a = cJSON_CreateArray();

	for (size_t i = 0; i < l->n; i++)
		cJSON_AddItemToArray(a, session_to_json(&l->v[i]));
	output_json(a);
}

/* -- watched ---------------------------------------------------------------
 */

/* One picture; the last line of the screen stays free. */
static void draw(const struct session_list *l)
{
	size_t rows = (size_t)fullscreen_rows(), most = rows > 2 ? rows - 2 : 1;
	size_t lines = l->n, shown = 0;

	for (size_t i = 0; i < l->n; i++)
		lines += begins_group(l, i);
	most -= lines > most; /* "and 3 more" */
	fullscreen_clear();
	if (!l->n)
		printf("no sessions\n");
	else
		shown = print_table(l, most);
	if (l->n > shown)
		printf("and %zu more\n", l->n - shown);
	fflush(stdout);
}

static int draw_again(const struct args *args, struct changes *w,
		      struct err *err)
{
	struct session_list l;
	int rc;

	do {
		rc = session_list_load_board(&l, err);
		keep(&l, args);
		arrange(&l);
		if (rc == 0)
			draw(&l);
		session_list_finish(&l);
		if (rc == 0)
			changes_wait(w, -1);
		/* What comes in a burst is one picture. */
	} while (rc == 0 && fullscreen_pause(BURST_MS));
	return rc;
}

static int watch_table(const struct args *args, struct err *err)
{
	struct fullscreen screen;
	struct changes *w;
	char *root;
	int rc;

	if (args_has(args, "json") || args_has(args, "quiet"))
		return err_set(err, ERR_USAGE,
			       "ls: --watch shows the table, neither names nor "
			       "JSON");
	if (!fullscreen_possible()) {
		err_set(err, ERR_USAGE, "ls: --watch needs a terminal");
		return err_hint(err, "`afw events -f` tells what happens, to a "
				     "pipe, too");
	}
	if (dirs_prepare(err) < 0 || !(root = dirs_sessions(err)))
		return -1;
	w = changes_create();
	changes_add_all(w, root, CHANGES_SHOWN);
	changes_add_input(w, STDIN_FILENO);
	free(root);
	rc = fullscreen_begin(&screen, "ls", err);
	if (rc == 0) {
		rc = draw_again(args, w, err);
		fullscreen_end(&screen);
	}
	changes_destroy(w);
	return rc;
}

static void print_left(void *ctx, pid_t pid, int pidfd, const char *dir)
{
	(void)ctx, (void)pidfd, (void)dir;
	output_warn("supervisor %d is running, but the files of its session "
		    "were deleted",
		    (int)pid);
	output_hint("`afw stop --all` stops it");
}

static int run(const struct args *args, struct err *err)
{
	const char *group = args_value(args, "group");
	struct session_list l;
	size_t elsewhere;
	int rc;

	if (args_has(args, "watch"))
		return watch_table(args, err);
	/* JSON has all that is known of a session, the table what fits it. */
	rc = args_has(args, "json") ? session_list_load(&l, err)
				    : session_list_load_board(&l, err);
	if (rc < 0 && l.n == 0)
		return -1;
	recount_moved(&l);
	elsewhere = keep(&l, args);
	if (!args_has(args, "json"))
		arrange(&l);
	if (args_has(args, "json"))
		print_json(&l);
	else if (args_has(args, "quiet"))
		print_names(&l);
	else if (l.n)
		print_table(&l, SIZE_MAX);
	else if (args_has(args, "merged"))
		output_warn("no session is merged");
	else if (group)
		output_warn("no sessions in group '%s'", group);
	else if (elsewhere)
		output_warn("no sessions in this repository (%zu elsewhere)",
			    elsewhere);
	else
		output_warn("no sessions yet; `afw new NAME` makes one");
	if (l.n == 0 && !args_has(args, "json"))
		processes_each_left(print_left, NULL);
	session_list_finish(&l);
	return rc;
}

const struct command command_ls = {
    .name = "ls",
    .usage = "",
    .summary = "list the sessions",
    .options = options,
    .run = run,
};
