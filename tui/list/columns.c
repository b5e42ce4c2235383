/* columns.c - the columns of the list: which are shown, their text for a
 * session, and the width that this needs. */
#include "tui/list/columns.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "config/option.h"
#include "session/session_rows.h"
#include "tui/child/memory.h"
#include "tui/child/conflicts.h"

static const struct {
	const char *name, *heading;
} table[COLUMN_COUNT] = {
#define COLUMN(id, name, heading, ...) [COLUMN_##id] = {name, heading},
#include "config/columns.def"
#undef COLUMN
};

/* The same column of `afw ls`; NULL: only the dashboard has it. */
static const struct session_row *rows[COLUMN_COUNT];

static void choose(struct chosen *out, const char *name)
{
	for (int i = 0; i < out->n; i++)
		if (strcmp(table[out->v[i]].name, name) == 0)
			return;
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (strcmp(table[i].name, name) != 0)
			continue;
		out->v[out->n++] = (enum column)i;
		rows[i] = session_column_find(name, NULL);
	}
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

static void print_name(struct tui *t, const struct session *s, struct buf *out)
{
	_free_ char *label = roster_label(&t->roster, s);

	buf_adds(out, label);
}

/* Appends seconds in steps of five, so that the picture changes less often. */
static void print_age(struct tui *t, const struct session *s, struct buf *out)
{
	int64_t since = session_since(s), age = clock_wall_ms() - since;
	int64_t step = age < 60000 ? 5000 : 60000;
	char text[24] = "?";

	if (since > 0) {
		if (age < 0)
			age = 0;
		tui_lasts(t, step - age % step);
		if (step == 5000)
			age -= age % step;
		clock_age(age, text, sizeof text);
	}
	buf_adds(out, text);
}

/* Appends "+12 -3", "2 files" or nothing; "~" before an old count. */
static void print_changes(const struct session *s, struct buf *out)
{
	const struct counts *c = &s->state.counts;
	const char *old = s->state.unwatched ? "~" : "";

	if (c->merged > 0)
		buf_addf(out, "%smerged", old);
	else if (c->lines_added > 0 || c->lines_removed > 0)
		buf_addf(out, "%s+%lld -%lld", old, (long long)c->lines_added,
			 (long long)c->lines_removed);
	else if (c->files_changed > 0)
		buf_addf(out, "%s%lld file%s", old, (long long)c->files_changed,
			 c->files_changed == 1 ? "" : "s");
}

void columns_print(struct tui *t, enum column which, const struct session *s,
		   struct buf *out)
{
	switch (which) {
	case COLUMN_NAME:
		print_name(t, s, out);
		break;
	case COLUMN_HARNESS:
		buf_adds(out, s->spec.harness ? s->spec.harness : "?");
		break;
	case COLUMN_STATE:
		buf_adds(out, word_name(session_urgency(s)));
		break;
	case COLUMN_AGE:
		print_age(t, s, out);
		break;
	case COLUMN_CHANGES:
		print_changes(s, out);
		break;
	case COLUMN_CONFLICTS:
		if (conflicts_with(t->conflicts, s))
			buf_adds(out, term_utf8() ? "≠" : "#");
		break;
	case COLUMN_MEMORY:
		memory_print(t->memory, s, out);
		break;
	default:
		session_row_print(rows[which], s, out);
	}
}

static int wanted_of(struct tui *t, enum column which)
{
	const struct roster *roster = &t->roster;
	bool mixed = roster->grouped != BY_REPOSITORY &&
		     session_list_is_mixed(&roster->list);
	_buf_ struct buf text = {0};
	int most = 0;

	if (which == COLUMN_CONFLICTS)
		return conflicts_any(t->conflicts);
	for (size_t i = 0; i < roster->nsorted; i++) {
		const struct session *s = &roster->list.v[roster->sorted[i]];
		const char *repository = s->spec.repository_name;
		int width;

		buf_clear(&text);
		if (which == COLUMN_NAME && s->host)
			buf_addf(&text, "%.*s:", (int)session_host_len(s),
				 s->host);
		if (which == COLUMN_NAME && mixed) {
			buf_adds(&text, repository ? repository : "");
			buf_addc(&text, '/');
		}
		if (which == COLUMN_NAME)
			buf_adds(&text, s->spec.name);
		else
			columns_print(t, which, s, &text);
		width = paint_width(text.data);
		most = width > most ? width : most;
	}
	return most;
}

void columns_measure(struct tui *t, int wanted[COLUMN_COUNT])
{
	memset(wanted, 0, COLUMN_COUNT * sizeof *wanted);
	for (int i = 0; i < t->columns.n; i++)
		if (layout_column_is_variable(t->columns.v[i]))
			wanted[t->columns.v[i]] = wanted_of(t, t->columns.v[i]);
}

enum column columns_at(const struct columns *c, int col)
{
	int i = 0;

	while (i < COLUMN_COUNT &&
	       (col < c->at[i] || col >= c->at[i] + c->width[i]))
		i++;
	return (enum column)i;
}

/* Orders and columns have the same names, except the order by state. */
bool columns_order(enum column which, enum order *out)
{
	*out = ORDER_NEED;
	if (which == COLUMN_STATE)
		return true;
	for (int i = ORDER_NEED + 1; i < ORDER_COUNT; i++) {
		*out = (enum order)i;
		if (strcmp(order_name(*out), table[which].name) == 0)
			return true;
	}
	return false;
}

static bool is_sorted_by(const struct tui *t, enum column which)
{
	enum order order;

	return !t->roster.inbox && columns_order(which, &order) &&
	       order == t->roster.order;
}

void columns_draw(const struct tui *t, const struct rect *r,
		  const struct columns *c, const char *right)
{
	int width = paint_width(right);

	for (int i = 0; i < COLUMN_COUNT; i++) {
		const char *text = table[i].heading;

		/* A cut word beside it would be of no use. */
		if (c->width[i] &&
		    (!width || c->at[i] + paint_width(text) <= r->cols - width))
			paint_look(r->row, r->col + c->at[i], c->width[i], text,
				   is_sorted_by(t, (enum column)i)
				       ? LOOK_STRONG
				       : LOOK_HEADING);
	}
	paint_look(r->row, r->col + r->cols - width, width, right,
		   LOOK_HEADING);
}
