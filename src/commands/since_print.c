/* since_print.c - what `afw since` has found: as a page, a line or JSON. */
#include "commands/since_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "session/session_rows.h"

struct sums {
	int64_t checks, passed, commits, landed, continued, undone, cost_micro;
};

static struct sums sum_up(const struct since *si)
{
	struct sums sum = {0};

	for (size_t i = 0; i < si->n; i++) {
		const struct since_row *r = &si->rows[i];
		const struct state *st = &r->s->state;

		sum.checks += r->totals.checks;
		sum.passed += r->totals.passed;
		sum.landed += r->totals.landed;
		sum.continued += r->totals.continued;
		sum.undone += r->totals.undone;
		sum.commits += st->counts.ahead > 0 ? st->counts.ahead : 0;
		sum.cost_micro +=
		    st->tokens.cost_micro > 0 ? st->tokens.cost_micro : 0;
	}
	return sum;
}

static void add_count(struct buf *out, int64_t n, const char *one,
		      const char *many)
{
	if (n)
		buf_addf(out, "%s%lld %s", out->len ? ", " : "", (long long)n,
			 n == 1 ? one : many);
}

/* Appends "3 finished, 1 waiting, 1 failed". */
static void add_outcomes(const struct since *si, struct buf *out)
{
	add_count(out, si->outcomes[SINCE_FINISHED], "finished", "finished");
	add_count(out, si->outcomes[SINCE_WAITING], "waiting", "waiting");
	add_count(out, si->outcomes[SINCE_FAILED], "failed", "failed");
}

static void print_head(const struct since *si, const char *counts)
{
	printf("%s %s: %s", strchr(si->time, ':') ? "Since" : "In the last",
	       si->time, counts);
}

void since_print_line(const struct since *si)
{
	_buf_ struct buf counts = {0};

	add_outcomes(si, &counts);
	if (!counts.len)
		return;
	print_head(si, counts.data);
	printf("; `afw since %s` shows more\n", si->time);
}

static void print_sums(const struct since *si)
{
	struct sums sum = sum_up(si);
	_buf_ struct buf counts = {0};

	add_outcomes(si, &counts);
	add_count(&counts, sum.passed, "check passed", "checks passed");
	add_count(&counts, sum.checks - sum.passed, "check failed",
		  "checks failed");
	add_count(&counts, sum.commits, "commit", "commits");
	add_count(&counts, sum.landed, "landed", "landed");
	add_count(&counts, sum.continued, "continued after a limit",
		  "continued after a limit");
	add_count(&counts, sum.undone, "undo", "undos");
	if (sum.cost_micro)
		buf_addf(&counts, "%s$%.2f", counts.len ? ", " : "",
			 (double)sum.cost_micro / 1e6);
	add_count(&counts, (int64_t)si->removed.n, "removed", "removed");
	print_head(si, counts.len ? counts.data
		       : si->n	  ? "nothing is finished"
				  : "nothing happened");
	puts(si->never_left ? " (the dashboard was never left)" : "");
}

static void add_cell(struct table *t, const char *column,
		     const struct session *s, const char *sgr)
{
	_buf_ struct buf cell = {0};

	session_row_print(session_column_find(column, NULL), s, &cell);
	table_cell(t, cell.data, sgr);
}

static void print_table(const struct since *si)
{
	static const char *const titles[] = {"NAME",	"STATE",   ">FOR",
					     ">TURNS",	">CHECKS", ">COMMITS",
					     "CHANGES", ">COST",   "SAYS"};
	struct sums sum = sum_up(si);
	struct table *t = table_create(9, titles);

	if (!sum.checks)
		table_hide(t, 4);
	if (!sum.cost_micro)
		table_hide(t, 7);
	for (size_t i = 0; i < si->n; i++) {
		const struct since_row *r = &si->rows[i];
		_free_ char *label = session_label(r->s, &si->list);

		table_cell(t, label, NULL);
		add_cell(t, "state", r->s, output_sgr(r->s));
		add_cell(t, "for", r->s, NULL);
		table_cellf(t, "%d", r->totals.turns);
		if (r->totals.checks)
			table_cellf(t, "%d of %d", r->totals.passed,
				    r->totals.checks);
		else
			table_cell(t, "", NULL);
		table_cellf(t, "%lld",
			    r->s->state.counts.ahead > 0
				? (long long)r->s->state.counts.ahead
				: 0LL);
		add_cell(t, "changes", r->s, NULL);
		add_cell(t, "cost", r->s, NULL);
		add_cell(t, "says", r->s, NULL);
	}
	table_end(t);
}

void since_print(const struct since *si)
{
	const cJSON *o;

	print_sums(si);
	if (si->n)
		print_table(si);
	cJSON_ArrayForEach (o, si->conflicts)
		output_line(stdout, "%s conflicts with %s%s",
			    json_str_or(o, "a", ""),
			    json_bool(o, "base", false) ? "the branch " : "",
			    json_str_or(o, "b", ""));
	for (size_t i = 0; i < si->removed.n; i++)
		output_line(stdout, "%s is in the trash", si->removed.v[i]);
}

static cJSON *row_to_json(const struct since_row *r)
{
	static const char *const names[] = {"other", "finished", "waiting",
					    "failed"};
	cJSON *o = session_to_json(r->s);

	json_set_str(o, "outcome", names[r->outcome]);
	json_set_int(o, "turns", r->totals.turns);
	json_set_int(o, "checks", r->totals.checks);
	json_set_int(o, "checks_passed", r->totals.passed);
	json_set_int(o, "landed", r->totals.landed);
	json_set_int(o, "continued", r->totals.continued);
	json_set_int(o, "undone", r->totals.undone);
	return o;
}

void since_print_json(const struct since *si)
{
	cJSON *o = cJSON_CreateObject(), *sessions;
	char at[CLOCK_RFC3339_SIZE];

	clock_format(si->from, at);
	json_set_str(o, "since", at);
	json_set_bool(o, "never_left", si->never_left);
	json_set_int(o, "finished", si->outcomes[SINCE_FINISHED]);
	json_set_int(o, "waiting", si->outcomes[SINCE_WAITING]);
	json_set_int(o, "failed", si->outcomes[SINCE_FAILED]);
	sessions = json_set_array(o, "sessions");
	for (size_t i = 0; i < si->n; i++)
		cJSON_AddItemToArray(sessions, row_to_json(&si->rows[i]));
	cJSON_AddItemToObject(o, "conflicts",
			      cJSON_Duplicate(si->conflicts, 1));
	json_set_strv(o, "removed", &si->removed);
	if (si->hosts)
		cJSON_AddItemReferenceToObject(o, "hosts", si->hosts);
	output_json(o);
}
