/*
 * ls.c - afw ls: lists all sessions, only from their files.
 *
 * A broken session does not hide the others and is not an error of ls: it is
 * listed with its problem. If the list itself cannot be read to its end, ls
 * prints what it has read, and fails.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "commands/cli/fullscreen.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/command.h"
#include "commands/ls_counts.h"
#include "commands/recount.h"
#include "session/disk/dirs.h"
#include "session/disk/groups.h"
#include "session/live/changes.h"
#include "session/live/processes.h"
#include "session/session_rows.h"

#define NARROW	       100 /* below this many columns the branch is left out */
#define VERY_NARROW    64  /* below this, also the age */
#define BURST_MS       100
#define OUTDATED_NAMED 3

static const struct command_option options[] = {
    {.name = "group",
     .letter = 'g',
     .arg = "GROUP",
     .help = "only sessions of this group"},
    {.name = "here", .help = "only sessions of this repository"},
    {.name = "merged", .help = "only sessions whose work is merged"},
    {.name = "quiet",
     .letter = 'q',
     .help = "print only the names, one per line"},
    {.name = "watch",
     .letter = 'w',
     .help = "draw the table again as it changes, until q"},
    {.name = "columns",
     .letter = 'o',
     .arg = "COLUMNS",
     .help = "these columns, with commas between them",
     .not_with = "json quiet"},
    {.name = "count",
     .arg = "[=STATE]",
     .help = "print only how many there are, or are in this state",
     .not_with = "summary quiet watch columns json"},
    {.name = "summary",
     .help = "print only how many are in each state: \"2 waiting, 1 working\"",
     .not_with = "quiet watch columns json"},
    {.name = "json", .help = "one array of objects"},
    {.name = NULL},
};

#define COLUMNS	    "name,harness,state,for,age,branch,check,changes,says"
#define COLUMNS_MAX 32

/* What the table shows. */
struct shown {
	const struct session_row *columns[COLUMNS_MAX];
	size_t n;
	bool chosen; /* by the user: keep all columns */
	bool files;  /* a column needs more than the board has */
};

static int choose_columns(struct shown *sh, const struct args *args,
			  struct err *err)
{
	const char *given = args_value(args, "columns");
	_free_ char *copy = mem_strdup(given ? given : COLUMNS);
	char *rest = copy, *name;

	*sh = (struct shown){.chosen = given != NULL};
	while ((name = strsep(&rest, ", "))) {
		const struct session_row *column;

		if (!*name)
			continue;
		column = session_column_find(name, err);
		if (!column)
			return err_prefix(err, "ls");
		if (sh->n == COLUMNS_MAX)
			return err_set(err, ERR_USAGE,
				       "ls: these are over %d columns",
				       COLUMNS_MAX);
		sh->columns[sh->n++] = column;
		sh->files |= column->files;
	}
	return sh->n ? 0 : err_set(err, ERR_USAGE, "ls: --columns names none");
}

static bool is_column(const struct session_row *column, const char *name)
{
	return strcmp(column->name, name) == 0;
}

static int load(struct session_list *l, const struct shown *sh, struct err *err)
{
	return sh->files ? session_list_load(l, err)
			 : session_list_load_board(l, err);
}

/* Removes the sessions that were not asked for; returns how many. */
static size_t filter_sessions(struct session_list *l, const struct args *args)
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

/* qsort(3) passes no context. */
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

/* Sorts by repository, if there are several: this one first, then by name; and
 * then by urgency and age. */
static void sort_sessions(struct session_list *l)
{
	bool several = session_list_is_mixed(l);
	char *here = several ? session_repository_here() : NULL;

	sorting_here = !several ? NULL : here ? here : "";
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, compare);
	free(here);
}

/* Returns whether session i is the first of its repository. */
static bool begins_group(const struct session_list *l, size_t i)
{
	return i == 0 || compare_text(l->v[i - 1].spec.repository,
				      l->v[i].spec.repository) != 0;
}

/* Adds "shop (/src/shop)". */
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

/* Returns the SGR sequence; "" for plain. */
static const char *sgr_of(const struct session_row *column,
			  const struct session *s, bool several)
{
	if (is_column(column, "name"))
		return several ? "" : "\033[1m";
	if (is_column(column, "state"))
		return output_sgr(s);
	if (is_column(column, "says"))
		return session_urgency(s) <= WORD_FAILED ? "" : "\033[2m";
	return "";
}

static void add_row(struct table *t, const struct shown *sh,
		    const struct session *s, bool several)
{
	_buf_ struct buf cell = {0};
	size_t before;

	for (size_t i = 0; i < sh->n; i++) {
		buf_clear(&cell);
		if (i == 0 && several)
			buf_adds(&cell, "  ");
		before = cell.len;
		session_row_print(sh->columns[i], s, &cell);
		if (sh->columns[i]->dash && cell.len == before)
			buf_addc(&cell, '-');
		table_cell(t, cell.data, sgr_of(sh->columns[i], s, several));
	}
}

/* Hides columns that are empty or do not fit, unless the user chose them. */
static void hide_columns(struct table *t, const struct shown *sh,
			 const struct session_list *l)
{
	int width = output_width();
	bool checked = false;

	for (size_t i = 0; i < l->n; i++)
		checked |= l->v[i].state.check != NULL;
	for (size_t i = 0; !sh->chosen && i < sh->n; i++) {
		const struct session_row *c = sh->columns[i];

		if ((!checked && is_column(c, "check")) ||
		    (width && width < VERY_NARROW && is_column(c, "age")) ||
		    (width && width < NARROW && is_column(c, "branch")))
			table_hide(t, i);
	}
}

/* Prints at most `most` lines; returns how many sessions they show. */
static size_t print_table(const struct session_list *l, const struct shown *sh,
			  size_t most)
{
	const char *titles[COLUMNS_MAX];
	bool several = session_list_is_mixed(l);
	struct table *t;
	size_t n = 0;

	for (size_t i = 0; i < sh->n; i++)
		titles[i] = sh->columns[i]->title;
	t = table_create(sh->n, titles);
	hide_columns(t, sh, l);
	for (; n < l->n && most > 0; n++, most--) {
		if (several && begins_group(l, n)) {
			if (--most == 0)
				break;
			add_heading(t, &l->v[n]);
		}
		add_row(t, sh, &l->v[n], several);
	}
	table_end(t);
	return n;
}

/* Prints the names as commands here accept them; completion offers these. */
static void print_names(const struct session_list *l)
{
	bool several = session_list_is_mixed(l);
	char *here = several ? session_repository_here() : NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct session *s = &l->v[i];
		bool is_here = here && session_is_here(s, here);

		/* The repository's name can have any characters. */
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

/* -- --watch --------------------------------------------------------------- */

/* Draws the list; the last line of the screen stays free. */
static void draw_list(const struct session_list *l, const struct shown *sh)
{
	size_t rows = (size_t)fullscreen_rows(), most = rows > 2 ? rows - 2 : 1;
	size_t lines = l->n, shown = 0;
	bool several = session_list_is_mixed(l);

	for (size_t i = 0; several && i < l->n; i++)
		lines += begins_group(l, i);
	most -= lines > most; /* "and 3 more" */
	fullscreen_clear();
	if (!l->n)
		printf("no sessions\n");
	else
		shown = print_table(l, sh, most);
	if (l->n > shown)
		printf("and %zu more\n", l->n - shown);
	fflush(stdout);
}

static int draw_again(const struct args *args, const struct shown *sh,
		      struct changes *w, struct err *err)
{
	struct session_list l;
	int rc;

	do {
		rc = load(&l, sh, err);
		filter_sessions(&l, args);
		sort_sessions(&l);
		if (rc == 0)
			draw_list(&l, sh);
		session_list_finish(&l);
		if (rc == 0)
			changes_wait(w, -1);
		/* Changes in quick succession become one picture. */
	} while (rc == 0 && fullscreen_pause(BURST_MS));
	return rc;
}

static int watch_table(const struct args *args, const struct shown *sh,
		       struct err *err)
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
		return err_hint(
		    err, "`afw events -f` prints what happens, also to a pipe");
	}
	if (dirs_prepare(err) < 0 || !(root = dirs_sessions(err)))
		return -1;
	w = changes_create();
	changes_add_all(w, root, CHANGES_SHOWN);
	changes_add_input(w, STDIN_FILENO);
	free(root);
	rc = fullscreen_begin(&screen, "ls", err);
	if (rc == 0) {
		rc = draw_again(args, sh, w, err);
		fullscreen_end(&screen);
	}
	changes_destroy(w);
	return rc;
}

static void print_left(void *ctx, pid_t pid, int pidfd, const char *dir)
{
	(void)ctx, (void)pidfd, (void)dir;
	output_warn("process %d runs a session whose files were deleted",
		    (int)pid);
	output_hint("`afw stop --all` stops it");
}

/* Names those whose supervisor is of another version. */
static void hint_outdated(const struct session_list *l)
{
	_buf_ struct buf names = {0};
	size_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		char *label;

		if (!session_is_outdated(&l->v[i]) || n++ >= OUTDATED_NAMED)
			continue;
		label = session_label(&l->v[i], l);
		buf_addf(&names, "%s%s", n > 1 ? ", " : "", label);
		free(label);
	}
	if (n > OUTDATED_NAMED)
		buf_addf(&names, " and %zu more", n - OUTDATED_NAMED);
	if (n)
		output_hint("another version of afw still runs %s: `afw "
			    "restart -r NAME` moves a session to this one",
			    names.data);
}

static int cmd_ls(const struct args *args, struct err *err)
{
	const char *group = args_value(args, "group");
	const char *count = args_value(args, "count");
	struct session_list l;
	struct shown sh;
	size_t elsewhere;
	int rc;

	if (choose_columns(&sh, args, err) < 0 ||
	    ls_check_state(count, err) < 0)
		return -1;
	if (args_has(args, "watch"))
		return watch_table(args, &sh, err);
	/* JSON has everything known about a session, the table what fits. */
	rc = args_has(args, "json") ? session_list_load(&l, err)
				    : load(&l, &sh, err);
	if (rc < 0 && l.n == 0)
		return -1;
	recount_moved(&l);
	elsewhere = filter_sessions(&l, args);
	if (!args_has(args, "json"))
		sort_sessions(&l);
	if (args_has(args, "json"))
		print_json(&l);
	else if (count)
		ls_print_count(&l, count);
	else if (args_has(args, "summary"))
		ls_print_summary(&l);
	else if (args_has(args, "quiet"))
		print_names(&l);
	else if (l.n) {
		print_table(&l, &sh, SIZE_MAX);
		hint_outdated(&l);
		ls_hint_limits(&l);
	} else if (args_has(args, "merged"))
		output_warn("no session is merged");
	else if (group)
		output_warn("no sessions in group '%s'", group);
	else if (elsewhere)
		output_warn("no sessions in this repository (%zu elsewhere)",
			    elsewhere);
	else
		output_warn("no sessions yet; `afw new NAME` makes one");
	if (l.n == 0 && !args_has(args, "json") && !count &&
	    !args_has(args, "summary"))
		processes_each_orphan(print_left, NULL);
	session_list_finish(&l);
	return rc;
}

const struct command command_ls = {
    .name = "ls",
    .usage = "",
    .summary = "list the sessions",
    .options = options,
    .run = cmd_ls,
};
