/* columns.c - the columns of the list. */
#include "tui/list/columns.h"

#include <stdio.h>
#include <string.h>

#include "config/option.h"
#include "session/session_rows.h"

static const struct {
	const char *name, *heading;
} table[COLUMN_COUNT] = {
#define COLUMN(id, name, heading) [COLUMN_##id] = {name, heading},
#include "config/columns.def"
#undef COLUMN
};

static void choose(struct chosen *out, const char *name)
{
	for (int i = 0; i < out->n; i++)
		if (strcmp(table[out->v[i]].name, name) == 0)
			return;
	for (int i = 0; i < COLUMN_COUNT; i++)
		if (strcmp(table[i].name, name) == 0)
			out->v[out->n++] = (enum column)i;
}

void columns_choose(struct chosen *out, const struct strv *names)
{
	const struct option *o = &options[OPTION_DASHBOARD_COLUMNS];
	struct option_value v = {0};

	*out = (struct chosen){0};
	if (!names || !names->n) {
		option_parse(o, o->value, &v, NULL);
		names = &v.list;
	}
	for (size_t i = 0; i < names->n; i++)
		choose(out, names->v[i]);
	option_value_finish(&v);
}

void columns_lines(const struct session *s, char *out, size_t size)
{
	const struct counts *c = &s->state.counts;

	out[0] = '\0';
	if (c->merged > 0)
		snprintf(out, size, "merged");
	else if (c->lines_added > 0 || c->lines_removed > 0)
		snprintf(out, size, "+%lld -%lld", (long long)c->lines_added,
			 (long long)c->lines_removed);
	else if (c->files_changed > 0)
		snprintf(out, size, "%lld file%s", (long long)c->files_changed,
			 c->files_changed == 1 ? "" : "s");
}

void columns_cost(const struct session *s, char *out, size_t size)
{
	out[0] = '\0';
	if (s->state.cost_micro > 0)
		snprintf(out, size, "$%.2f", (double)s->state.cost_micro / 1e6);
}

void columns_services(const struct session *s, struct buf *out)
{
	session_row_print(session_column_find("services", NULL), s, out);
	buf_adds(out, "");
}

void columns_groups(const struct session *s, struct buf *out)
{
	buf_adds(out, "");
	for (size_t i = 0; i < s->groups.n; i++)
		buf_addf(out, "%s%s", i ? ", " : "", s->groups.v[i]);
}

static void wants(int *wanted, int width)
{
	if (*wanted < width)
		*wanted = width;
}

void columns_wanted(const struct roster *roster, int wanted[COLUMN_COUNT])
{
	bool mixed = roster->grouped != BY_REPOSITORY &&
		     session_list_is_mixed(&roster->list);
	struct buf groups = {0};
	char lines[64], cost[32];

	memset(wanted, 0, COLUMN_COUNT * sizeof *wanted);
	for (size_t i = 0; i < roster->nsorted; i++) {
		const struct session *s = &roster->list.v[roster->sorted[i]];
		int repository = paint_width(s->spec.repository_name);

		columns_lines(s, lines, sizeof lines);
		columns_cost(s, cost, sizeof cost);
		buf_clear(&groups);
		columns_groups(s, &groups);
		wants(&wanted[COLUMN_NAME], paint_width(s->spec.name) +
						(mixed ? 1 + repository : 0));
		wants(&wanted[COLUMN_HARNESS], paint_width(s->spec.harness));
		wants(&wanted[COLUMN_BRANCH], paint_width(s->spec.branch));
		wants(&wanted[COLUMN_LINES], paint_width(lines));
		wants(&wanted[COLUMN_COST], paint_width(cost));
		wants(&wanted[COLUMN_CHECK], s->state.check != NULL);
		wants(&wanted[COLUMN_GROUP], paint_width(groups.data));
		wants(&wanted[COLUMN_REPOSITORY], repository);
	}
	buf_finish(&groups);
}

void columns_draw(const struct rect *r, const struct chosen *chosen,
		  const struct columns *c, const char *right)
{
	int width = paint_width(right);

	for (int i = 0; i < chosen->n; i++) {
		const char *text = table[chosen->v[i]].heading;
		int at = c->at[chosen->v[i]];

		/* No half a word beside it. */
		if (c->width[chosen->v[i]] &&
		    (!width || at + paint_width(text) <= r->cols - width))
			paint_look(r->row, r->col + at,
				   c->width[chosen->v[i]], text, LOOK_HEADING);
	}
	paint_look(r->row, r->col + r->cols - width, width, right,
		   LOOK_HEADING);
}
