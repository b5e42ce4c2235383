/*
 * compare.c - the view of several attempts at one task: what each has done, the
 * diffs of two, and the merge of the best, which removes the others.
 */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/json.h"
#include "session/session_rows.h"
#include "tui/actions/action.h"
#include "tui/actions/command.h"
#include "tui/model/machine.h"
#include "tui/widgets/rows.h"

/* As add_row() prints them. */
#define TITLE "CHECK  MERGES   TURNS  WORKED  FILES  COST"

/* Changes if one of the sessions works, stops, or changes a file. */
static uint64_t compare_version(const struct tui *t)
{
	uint64_t sum = t->roster.list.n;

	for (size_t i = 0; i < t->roster.list.n; i++) {
		const struct session *s = &t->roster.list.v[i];
		const struct counts *c = &s->state.counts;

		sum = sum * 31 + (uint64_t)session_since(s) +
		      (uint64_t)session_urgency(s);
		sum = sum * 31 + (uint64_t)(c->lines_added + c->lines_removed);
		sum = sum * 31 + (uint64_t)(c->ahead + c->uncommitted);
		sum =
		    sum * 31 + (s->state.check ? (uint8_t)*s->state.check : 0);
	}
	return sum;
}

static char *cell(const struct session *s, const char *column)
{
	struct buf out = {0};

	session_row_print(session_column_find(column, NULL), s, &out);
	return buf_steal(&out);
}

/* Returns the files in which it conflicts with its base, and what it says. */
static char *print_more(const struct session *s, const cJSON *o)
{
	struct buf out = {0};
	const cJSON *c;

	cJSON_ArrayForEach (c, json_get(o, "conflicts"))
		buf_addf(&out, "conflict with %s in %s; ",
			 s->spec.base ? s->spec.base : "?",
			 json_str_or(c, "path", ""));
	session_summary(s, &out);
	return buf_steal(&out);
}

static void add_row(struct rows *l, const cJSON *o)
{
	const struct session *s =
	    roster_by_id(&l->t->roster, json_str_or(o, "id", ""));
	_free_ char *check = NULL, *files = NULL, *cost = NULL;
	char worked[24];
	struct row *w;

	if (!s)
		return;
	w = rows_add(l, s->spec.id);
	check = cell(s, "check");
	files = cell(s, "files");
	cost = cell(s, "cost");
	clock_age(json_int(o, "worked_ms", 0), worked, sizeof worked);
	w->name = mem_strdup(s->spec.name);
	w->note = mem_strdup(session_status_word(s));
	w->look = rows_look(session_urgency(s));
	w->changes = cell(s, "changes");
	w->text =
	    mem_printf("%s%*s  %-7s  %5d  %6s  %5s  %s", check,
		       5 - paint_width(check), "", json_str_or(o, "merges", ""),
		       (int)json_int(o, "turns", 0), worked, files, cost);
	w->title = mem_printf("%s: %s", s->spec.name,
			      s->spec.branch ? s->spec.branch : "no branch");
	w->more = print_more(s, o);
	w->since = session_since(s);
}

static const struct session *session_of(const struct rows *l,
					const struct row *w)
{
	return w ? roster_by_id(&l->t->roster, w->key) : NULL;
}

/* Returns the marked row, or if that is chosen, or none, one beside it; NULL if
 * it is the only one. */
static const struct row *find_other(const struct rows *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (i != l->at && strcmp(l->v[i].key, l->marked) == 0)
			return &l->v[i];
	return l->at + 1 < l->n ? &l->v[l->at + 1]
	       : l->at		? &l->v[l->at - 1]
				: NULL;
}

static void show_diffs(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct rows *l = (struct rows *)v;
	const struct session *a = session_of(l, rows_chosen(v));
	const struct session *b = session_of(l, find_other(l));

	(void)pressed;
	if (a && b)
		view_push(t, diffs_view(t, a, b));
}

/* -- the best -------------------------------------------------------------- */

static bool is_beside(const struct session *s, const struct session *of)
{
	return s != of && machine_shares(s, of) &&
	       strv_has(&s->groups, of->groups.v[0]);
}

static void on_merged(struct tui *t, struct command *c,
		      const struct job_result *r);

/* Merges a session that has no group of its own as the list does: alone. */
static void ask_merge(struct tui *t, struct view *v, uint32_t pressed)
{
	const struct session *s = session_of((struct rows *)v, rows_chosen(v));
	_buf_ struct buf rest = {0};
	struct command *c;

	(void)pressed;
	for (size_t i = 0; s && s->groups.n == 1 && i < t->roster.list.n; i++)
		if (is_beside(&t->roster.list.v[i], s))
			buf_addf(&rest, "%s%s", rest.len ? ", " : "",
				 t->roster.list.v[i].spec.name);
	if (!s)
		return;
	if (!rest.len) {
		action_merge(t, s);
		return;
	}
	c = command_create(mem_printf("merging %s", s->spec.name), s->spec.id,
			   "merge", s->spec.id, "--rest", "rm", "--yes", NULL);
	c->minutes = 5;
	c->done = on_merged;
	command_confirm(t,
			mem_printf("Merge %s, stop the others and move them to "
				   "the trash (%s)?",
				   s->spec.name, rest.data),
			c);
}

static const struct view_key keys[] = {
    {"Comparing sessions", NULL, NULL, NULL},
    {"Enter", "diffs", "show what it and the marked one have changed",
     show_diffs},
    {"{mark}", "mark", "mark it, to compare others with it", NULL},
    {"m", "merge", "merge it and remove the others of its group, after asking",
     ask_merge},
    {"v", "all it says", "read all that it says", rows_read},
    ROWS_KEYS,
};

static const struct rows_kind kind = {
    .words = {"compare", "--json"},
    .nothing = "There is nothing to compare.",
    .heading = "compare",
    .titles = {"STATE", "FOR", "CHANGES", TITLE},
    .marks = true,
    .keys = keys,
    .act = ACT_COMPARE,
    .version = compare_version,
    .add = add_row,
};

static void on_merged(struct tui *t, struct command *c,
		      const struct job_result *r)
{
	if (r->exit_code == 0 && rows_top(t, &kind))
		view_pop(t);
	command_report(t, c, r, NULL);
}

/* Which sessions the key applies to. */
static void find_compared(const struct tui *t, struct strv *ids)
{
	const struct roster *all = &t->roster;
	const struct roster_group *g = roster_heading(all, all->cursor);
	const struct session *s = roster_selected(all);

	for (size_t i = 0; i < all->marked.n; i++)
		strv_add(ids, all->marked.v[i]);
	for (size_t i = 0; !all->marked.n && g && i < g->n; i++)
		strv_add(ids, roster_member(all, g, i)->spec.id);
	if (ids->n || !s || s->groups.n != 1)
		return;
	for (size_t i = 0; i < all->list.n; i++)
		if (&all->list.v[i] == s || is_beside(&all->list.v[i], s))
			strv_add(ids, all->list.v[i].spec.id);
}

bool action_may_compare(const struct tui *t)
{
	_strv_ struct strv ids = {0};

	find_compared(t, &ids);
	return ids.n > 1;
}

void action_compare(struct tui *t)
{
	struct strv ids = {0};

	find_compared(t, &ids);
	if (ids.n > 1) {
		view_push(t, rows_view_of(t, &kind, ids));
		return;
	}
	strv_finish(&ids);
	tui_set_message(t, LOOK_PLAIN,
			"nothing to compare: it is not in one group with "
			"others; %s marks sessions",
			keys_name(ACT_MARK));
}
