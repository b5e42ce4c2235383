/*
 * ls.c - afw ls: lists all sessions, those of this machine only from their
 * files, and those of the hosts of afw.ini.
 *
 * A broken session does not hide the others and is not an error of ls: it is
 * listed with its problem. If the list itself cannot be read to its end, ls
 * prints what it has read, and fails.
 */
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "commands/cli/output.h"
#include "commands/command.h"
#include "commands/launch/host_choice.h"
#include "commands/ls_counts.h"
#include "commands/ls_table.h"
#include "commands/ls_watch.h"
#include "commands/recount.h"
#include "commands/try.h"
#include "hosts/host_ask.h"
#include "session/live/processes.h"

#define OUTDATED_NAMED 3

static const struct command_option options[] = {
    {.name = "group",
     .letter = 'g',
     .arg = "GROUP",
     .help = "only sessions of this group"},
    {.name = "here",
     .help = "only sessions of this repository, on this machine"},
    {.name = "merged", .help = "only sessions whose work is merged"},
    {.name = "archived", .help = "only archived and snoozed sessions"},
    {.name = "quiet",
     .letter = 'q',
     .help = "print only the names, one per line"},
    {.name = "watch",
     .letter = 'w',
     .help = "draw the table again as it changes, until q; with --json: print "
	     "each session that changes",
     .not_with = "quiet"},
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

static void print_json(const struct session_list *l)
{
	cJSON *a = cJSON_CreateArray();

	for (size_t i = 0; i < l->n; i++)
		cJSON_AddItemToArray(a, session_to_json(&l->v[i]));
	output_json(a);
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

		if (l->v[i].host || !session_is_outdated(&l->v[i]) ||
		    n++ >= OUTDATED_NAMED)
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

static void hint_hidden(const struct ls_hidden *h)
{
	_buf_ struct buf text = {0};

	ls_hidden_print(h, &text);
	if (text.len)
		output_hint("%s: `afw ls --archived`", text.data);
}

static void report_none(const struct args *args, const struct ls_hidden *h,
			size_t elsewhere)
{
	const char *group = args_value(args, "group");

	if (args_has(args, "archived"))
		output_warn("no session is archived or snoozed");
	else if (args_has(args, "merged"))
		output_warn("no session is merged");
	else if (group)
		output_warn("no sessions in group '%s'", group);
	else if (h->archived + h->snoozed)
		output_warn("no other sessions");
	else if (elsewhere)
		output_warn("no sessions in this repository (%zu elsewhere)",
			    elsewhere);
	else
		output_warn("no sessions yet; `afw new NAME` makes one");
}

/* Prints the list in the form that the options ask for, except as JSON. */
static void print_list(const struct session_list *l, const struct args *args,
		       const struct ls_table *t, const struct ls_hidden *h,
		       size_t elsewhere)
{
	const char *count = args_value(args, "count");

	if (count) {
		ls_print_count(l, count);
	} else if (args_has(args, "summary")) {
		ls_print_summary(l);
	} else if (args_has(args, "quiet")) {
		ls_print_names(l);
	} else if (l->n) {
		ls_print_table(l, t, SIZE_MAX);
		hint_outdated(l);
		ls_hint_limits(l);
		try_hint_all(l);
		hint_hidden(h);
	} else {
		report_none(args, h, elsewhere);
		hint_hidden(h);
	}
	if (l->n == 0 && !count && !args_has(args, "summary"))
		processes_each_orphan(print_left, NULL);
}

static int cmd_ls(const struct args *args, struct err *err)
{
	CLEANUP(ls_hidden_finish) struct ls_hidden hidden = {0};
	struct session_list l;
	struct ls_table t;
	size_t elsewhere;
	int rc;

	if (ls_choose_columns(&t, args, err) < 0 ||
	    ls_check_state(args_value(args, "count"), err) < 0)
		return -1;
	if (args_has(args, "watch"))
		return args_has(args, "json") ? ls_feed(args, err)
					      : ls_watch(args, &t, err);
	/* JSON has everything known about a session, the table what fits. */
	rc = args_has(args, "json") || t.files
		 ? session_list_load(&l, err)
		 : session_list_load_board(&l, err);
	if (rc < 0 && l.n == 0)
		return -1;
	recount_moved(&l);
	if (!args_has(args, "here"))
		host_ask(host_configured(), &l, host_warn_silent);
	elsewhere = ls_filter(&l, args, &hidden);
	if (args_has(args, "json")) {
		print_json(&l);
	} else {
		ls_sort(&l);
		print_list(&l, args, &t, &hidden, elsewhere);
	}
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
