/* land_print.c - prints the plan of a landing. */
#include <stdio.h>

#include "base/json.h"
#include "base/words.h"
#include "commands/cli/output.h"
#include "commands/cli/table.h"
#include "commands/land/land.h"

static void add_note(const struct landing *p, const struct buf *first,
		     struct buf *out)
{
	if (p->why) {
		buf_addf(out, "left out: %s", p->why);
		return;
	}
	if (p->uncommitted)
		buf_adds(out, "is committed first; ");
	for (size_t i = 0; i < p->against.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "conflicts with ",
			 p->against.v[i]);
	if (p->against.n == 0)
		buf_addf(out, "%s%s", p->check.command.n ? "check" : "no check",
			 first ? first->data : "");
}

static void print_row(struct table *t, const struct landing *p, size_t i)
{
	const struct counts *c = &p->s->state.counts;
	_buf_ struct buf note = {0}, check = {0};

	for (size_t k = 0; k < p->check.command.n; k++) {
		buf_addc(&check, ' ');
		words_quote_shown(p->check.command.v[k], &check);
	}
	add_note(p, check.len ? &check : NULL, &note);
	table_cellf(t, p->why ? "  -" : "  %zu", i + 1);
	table_cell(t, p->s->spec.name, NULL);
	table_cellf(t, "%lld file%s", (long long)c->files_changed,
		    c->files_changed == 1 ? "" : "s");
	table_cellf(t, "+%lld -%lld", (long long)c->lines_added,
		    (long long)c->lines_removed);
	table_cell(t, note.data, NULL);
}

static cJSON *row_to_json(const struct landing *p)
{
	const struct counts *c = &p->s->state.counts;
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "id", p->s->spec.id);
	json_set_str(o, "name", p->s->spec.name);
	json_set_text(o, "why", p->why);
	json_set_int(o, "files", c->files_changed);
	json_set_int(o, "lines_added", c->lines_added);
	json_set_int(o, "lines_removed", c->lines_removed);
	json_set_strv(o, "conflicts_with", &p->against);
	json_set_strv(o, "check", &p->check.command);
	return o;
}

static void print_json(const struct land *l)
{
	cJSON *o = cJSON_CreateObject(), *rows;

	json_set_str(o, "into", l->how.into);
	rows = json_set_array(o, "sessions");
	for (size_t i = 0; i < l->n; i++)
		cJSON_AddItemToArray(rows, row_to_json(&l->v[i]));
	output_json(o);
}

void land_print_plan(const struct land *l)
{
	struct table *t;
	size_t n = 0;

	if (l->json) {
		print_json(l);
		return;
	}
	while (n < l->n && !l->v[n].why)
		n++;
	if (n)
		output_line(stdout,
			    "Landing %zu session%s into %s, in this "
			    "order%s:",
			    n, n == 1 ? "" : "s", l->how.into,
			    l->checks ? ", each if its check passes" : "");
	else
		output_line(stdout, "Nothing to land into %s%s", l->how.into,
			    l->n ? ":" : "");
	if (l->n == 0)
		return;
	t = table_create(5, NULL);
	for (size_t i = 0; i < l->n; i++)
		print_row(t, &l->v[i], i);
	table_end(t);
	if (n && !l->checks)
		output_line(stdout, "Nothing is checked: check in afw.ini is "
				    "not set.");
}
