/*
 * since.c - afw since: what happened in all sessions while the user was away.
 *
 * The histories say which sessions to show, how many turns have ended and what
 * the checks found; everything else is what the sessions are now. The dashboard
 * shows the line of --line when it opens.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/moment.h"
#include "commands/command.h"
#include "commands/conflicts.h"
#include "commands/launch/host_choice.h"
#include "commands/recount.h"
#include "commands/since_print.h"
#include "hosts/host_each.h"
#include "session/disk/last_visit.h"
#include "session/disk/store.h"

#define DAY_MS (24 * 60 * 60 * 1000LL)

static const struct command_option options[] = {
    {.name = "line",
     .help = "only how many are finished, waiting or failed; nothing if none"},
    {.name = "json", .help = "print one object", .not_with = "line"},
    {.name = NULL},
};

/* -- the time -------------------------------------------------------------- */

static int read_time(struct since *si, const char *text, struct err *err)
{
	si->now = clock_wall_ms();
	if (!text || strcmp(text, "-") == 0) {
		si->from = last_visit_get();
		si->never_left = si->from < 0;
		if (si->never_left)
			si->from = si->now - DAY_MS;
		return 0;
	}
	si->from = moment_past("since", text, si->now, err);
	if (si->from >= 0)
		return 0;
	err_hint_line(err, "- is when the dashboard was left");
	return -1;
}

/* Names the time as `afw since` accepts it, rounded to an earlier one. */
static void name_time(struct since *si)
{
	int64_t days = (si->now - si->from + DAY_MS - 1) / DAY_MS;
	time_t sec = si->from / 1000;
	struct tm tm;

	if (days > 1 || !localtime_r(&sec, &tm))
		snprintf(si->time, sizeof si->time, "%lldd", (long long)days);
	else
		strftime(si->time, sizeof si->time,
			 si->never_left ? "24h" : "%H:%M", &tm);
}

/* -- reading --------------------------------------------------------------- */

static void read_history(struct since *si, const struct session *s)
{
	struct since_row *r = &si->rows[si->n];
	int failed;

	*r = (struct since_row){.s = s};
	failed = totals_read(&r->totals, s->dir, si->from);
	if (failed) {
		si->failed = true;
		output_warn("read the history of '%s': %s", s->spec.name,
			    strerror(failed));
	}
	si->n += r->totals.events > 0;
}

static enum outcome find_outcome(const struct since_row *r)
{
	switch (session_urgency(r->s)) {
	case WORD_WAITING:
		return SINCE_WAITING;
	case WORD_FAILED:
		return SINCE_FAILED;
	case WORD_DONE:
	case WORD_IDLE:
	case WORD_SUSPENDED:
	case WORD_STOPPED:
		return r->totals.turns || r->totals.exited ? SINCE_FINISHED
							   : SINCE_OTHER;
	default:
		return SINCE_OTHER;
	}
}

/* Sessions that need the user first, then the last changed. */
static int compare_rows(const void *a, const void *b)
{
	const struct session *x = ((const struct since_row *)a)->s;
	const struct session *y = ((const struct since_row *)b)->s;
	int d = (int)session_urgency(x) - (int)session_urgency(y);
	int64_t later = session_since(y) - session_since(x);

	return d       ? d
	       : later ? (later > 0) - (later < 0)
		       : strcmp(x->spec.id, y->spec.id);
}

static void read_sessions(struct since *si)
{
	si->rows = mem_alloc((si->list.n + 1) * sizeof *si->rows);
	for (size_t i = 0; i < si->list.n; i++)
		read_history(si, &si->list.v[i]);
	if (si->n)
		qsort(si->rows, si->n, sizeof *si->rows, compare_rows);
	for (size_t i = 0; i < si->n; i++) {
		si->rows[i].outcome = find_outcome(&si->rows[i]);
		si->outcomes[si->rows[i].outcome]++;
	}
}

/* -- conflicts ------------------------------------------------------------- */

static bool is_of(const struct session *s, const char *repository)
{
	return s->spec.repository &&
	       strcmp(s->spec.repository, repository) == 0;
}

/* Adds the pairs of that repository that conflict. */
static void add_conflicts(struct since *si, const char *repository)
{
	struct session_list some = {
	    .v = mem_alloc((si->list.n + 1) * sizeof *some.v)};
	_json_ cJSON *answer = NULL;
	const cJSON *o;
	struct err err;

	for (size_t i = 0; i < si->list.n; i++) {
		const struct session *s = &si->list.v[i];

		if (is_of(s, repository) && conflicts_possible(s) &&
		    (s->state.counts.files_changed > 0 ||
		     s->state.counts.ahead > 0))
			some.v[some.n++] = *s; /* borrowed */
	}
	if (some.n && !(answer = conflicts_find(&some, NULL, &err)))
		output_warning(&err);
	free(some.v);
	cJSON_ArrayForEach (o, json_get(answer, "pairs")) {
		cJSON *copy;

		if (!cJSON_GetArraySize(json_get(o, "conflicts")))
			continue;
		copy = cJSON_Duplicate(o, 1);
		json_set_str(copy, "repository", repository);
		cJSON_AddItemToArray(si->conflicts, copy);
	}
}

static void read_conflicts(struct since *si)
{
	si->conflicts = cJSON_CreateArray();
	for (size_t i = 0; i < si->n; i++) {
		const char *repository = si->rows[i].s->spec.repository;
		size_t k = 0;

		while (repository && k < i && !is_of(si->rows[k].s, repository))
			k++;
		if (repository && k == i)
			add_conflicts(si, repository);
	}
}

static void read_removed(struct since *si)
{
	struct trashed_list l;
	struct err err;

	if (trash_list(&l, &err) < 0)
		output_warning(&err);
	for (size_t i = 0; i < l.n; i++)
		if (l.v[i].removed_at >= si->from)
			strv_add(&si->removed, l.v[i].spec.name);
	trash_list_finish(&l);
}

/* -- the hosts ------------------------------------------------------------- */

static void add_host(void *ctx, const struct host_answer *a)
{
	struct since *si = ctx;
	cJSON *o =
	    a->code == 0 ? json_parse_object(a->out, a->len, NULL) : NULL;

	if (a->code != 0)
		output_warn("%s: unreachable: %s", a->host, a->reason);
	if (!o)
		return;
	cJSON_DeleteItemFromObjectCaseSensitive(o, "host");
	json_set_str(o, "host", a->host);
	cJSON_AddItemToArray(si->hosts, o);
}

static void print_host(void *ctx, const struct host_answer *a)
{
	(void)ctx;
	if (a->code != 0) {
		output_warn("%s: unreachable: %s", a->host, a->reason);
		return;
	}
	printf("\n%s:\n", a->host);
	output_lines(stdout, a->out);
}

/* The time is given as how long ago it was: the clocks may differ. */
static void ask_hosts(struct since *si, bool json)
{
	const struct host_list *hosts = host_configured();
	_free_ char *ago =
	    mem_printf("%llds", (long long)(si->now - si->from) / 1000);
	const char *const words[] = {"since", ago, json ? "--json" : NULL,
				     NULL};

	if (json && hosts->n)
		si->hosts = cJSON_CreateArray();
	fflush(stdout);
	host_each(hosts, words, json ? add_host : print_host, si);
}

/* -- the command ----------------------------------------------------------- */

static void print(struct since *si, const struct args *args)
{
	if (args_has(args, "line")) {
		since_print_line(si);
		return;
	}
	read_conflicts(si);
	read_removed(si);
	if (args_has(args, "json")) {
		ask_hosts(si, true);
		since_print_json(si);
	} else {
		since_print(si);
		ask_hosts(si, false);
	}
}

static int cmd_since(const struct args *args, struct err *err)
{
	struct since si = {0};
	int rc;

	if (read_time(&si, args->n ? args->positional[0] : NULL, err) < 0)
		return -1;
	name_time(&si);
	if (args_has(args, "line")) {
		rc = session_list_load_board(&si.list, err);
	} else {
		rc = session_list_load(&si.list, err);
		recount_moved(&si.list);
	}
	if (rc == 0) {
		read_sessions(&si);
		print(&si, args);
	}
	cJSON_Delete(si.conflicts);
	cJSON_Delete(si.hosts);
	strv_finish(&si.removed);
	free(si.rows);
	session_list_finish(&si.list);
	return rc == 0 && si.failed ? ERR_FAILED : rc;
}

const struct command command_since = {
    .name = "since",
    .usage = "[TIME|-]",
    .summary = "show what happened while you were away",
    .max_args = 1,
    .options = options,
    .run = cmd_since,
};
