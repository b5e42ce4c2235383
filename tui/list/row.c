/* row.c - one session as a row of the list. */
#include "tui/list/row.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/utf8.h"
#include "tui/child/memory.h"
#include "tui/list/columns.h"
#include "tui/model/clash.h"

/* By the order of the words. */
static const enum look looks[WORD_COUNT] = {
    LOOK_WAITING, LOOK_ERROR, LOOK_DONE,  LOOK_WORKING, LOOK_WORKING,
    LOOK_WORKING, LOOK_IDLE,  LOOK_QUIET, LOOK_QUIET,	LOOK_QUIET,
};

int row_draw_counts(int row, int col, int cols, const size_t counts[WORD_COUNT],
		    const struct style *style)
{
	const char *dot = term_utf8() ? " · " : ", ";
	const struct style quiet = paint_style(LOOK_QUIET);
	int used = 0;

	for (int w = 0; w < WORD_COUNT; w++) {
		const char *sep = used ? dot : "";
		char text[32];
		int need;

		if (!counts[w])
			continue;
		snprintf(text, sizeof text, "%zu %s", counts[w],
			 word_name((enum word)w));
		need = paint_width(sep) + paint_width(text);
		/* Room for the sign that there are more. */
		if (used + need + 2 > cols)
			return used + paint_text(row, col + used, cols - used,
						 " …", style ? *style : quiet);
		used += paint_text(row, col + used, cols - used, sep,
				   style ? *style : quiet);
		used += paint_text(row, col + used, cols - used, text,
				   style ? *style : paint_style(looks[w]));
	}
	return used;
}

/* Seconds in steps of five: the picture need not change more often. */
static void age_text(struct tui *t, const struct session *s, char *out,
		     size_t size)
{
	int64_t since = session_since(s), age = clock_wall_ms() - since;
	int64_t step = age < 60000 ? 5000 : 60000;

	if (since <= 0) {
		snprintf(out, size, "?");
		return;
	}
	if (age < 0)
		age = 0;
	tui_lasts(t, step - age % step);
	if (step == 5000)
		age -= age % step;
	clock_age(age, out, size);
}

/* "+12 -3", each in its colour. */
static void draw_lines(int row, int col, int cols, const char *text, bool plain,
		       struct style row_style)
{
	const char *minus = strchr(text, '-');
	char added[48];
	int used;

	if (!minus || plain) {
		paint_text(row, col, cols, text, row_style);
		return;
	}
	snprintf(added, sizeof added, "%.*s", (int)(minus - text), text);
	used = paint_look(row, col, cols, added, LOOK_ADDED);
	paint_look(row, col + used, cols - used, minus, LOOK_REMOVED);
}

/*
 * A label that fits: of "repository/name" the repository is cut first, and
 * left out where no two columns of it remain.
 */
static char *fitted(char *label, int cols)
{
	char *name = strchr(label, '/'), *out;
	int left;

	if (!name || utf8_width(label, strlen(label)) <= cols)
		return label;
	/* The slash, and the sign that something is missing. */
	left = cols - utf8_width(name, strlen(name)) - 1;
	if (left < 2)
		out = mem_strdup(name + 1);
	else
		out = mem_printf(
		    "%.*s%s%s",
		    (int)utf8_fit(label, (size_t)(name - label), left), label,
		    term_utf8() ? "…" : "~", name);
	free(label);
	return out;
}

/* Selected, one with a background of its own keeps it, so that it is seen in a
 * row in reverse, too; a colour in reverse could hardly be read. */
static struct style state_style(enum word word, bool selected)
{
	struct style state = paint_style(looks[word]);

	if (!selected || state.bg != SCREEN_COLOR_DEFAULT)
		return state;
	state.attrs ^= SCREEN_REVERSE;
	state.attrs &= SCREEN_BOLD | SCREEN_REVERSE;
	state.fg = SCREEN_COLOR_DEFAULT;
	return state;
}

static const char *mark_of(const struct session *s, bool selected)
{
	enum word word = session_urgency(s);

	return selected		      ? "> "
	       : word == WORD_WAITING ? "* "
	       : word == WORD_FAILED  ? "! "
				      : "  ";
}

void row_draw(struct tui *t, int row, const struct rect *r,
	      const struct columns *c, const struct session *s, bool selected)
{
	struct style st = paint_style(LOOK_PLAIN);
	enum word word = session_urgency(s);
	struct style state = state_style(word, selected);
	struct style name = st;
	char *label = roster_label(&t->roster, s);
	const char *text[COLUMN_COUNT];
	char age[16], lines[64], cost[32], memory[32];
	struct buf detail = {0}, services = {0}, groups = {0};

	label = fitted(label, c->width[COLUMN_NAME]);
	if (looks[word] == LOOK_QUIET)
		st = paint_style(LOOK_QUIET);
	name.attrs = word == WORD_WAITING ? SCREEN_BOLD : st.attrs;
	if (selected) {
		st = (struct style){.attrs = SCREEN_REVERSE};
		name.attrs = SCREEN_REVERSE | SCREEN_BOLD;
		paint_fill(row, r->col, r->cols, st);
	}
	age_text(t, s, age, sizeof age);
	columns_lines(s, lines, sizeof lines);
	roster_detail(s,
		      !c->width[COLUMN_GROUP] && t->roster.grouped != BY_GROUP,
		      &detail);
	columns_cost(s, cost, sizeof cost);
	memory_text(t->memory, s, memory, sizeof memory);
	columns_services(s, &services);
	columns_groups(s, &groups);
	text[COLUMN_NAME] = label;
	text[COLUMN_HARNESS] = s->spec.harness ? s->spec.harness : "?";
	text[COLUMN_STATE] = word_name(word);
	text[COLUMN_CHECK] = session_check_mark(s, term_utf8());
	text[COLUMN_AGE] = age;
	text[COLUMN_BRANCH] = s->spec.branch;
	text[COLUMN_LINES] = lines;
	text[COLUMN_CLASH] = !clash_with(t->clash, s) ? ""
			     : term_utf8()	      ? "≠"
						      : "#";
	text[COLUMN_SERVICES] = services.data;
	text[COLUMN_MEMORY] = memory;
	text[COLUMN_COST] = cost;
	text[COLUMN_GROUP] = groups.data;
	text[COLUMN_REPOSITORY] = s->spec.repository_name;
	text[COLUMN_DETAIL] = detail.data;
	paint_text(row, r->col, 2, mark_of(s, selected),
		   selected		  ? name
		   : word == WORD_WAITING ? paint_style(LOOK_STRONG)
					  : state);
	if (strv_has(&t->roster.marked, s->spec.id))
		paint_text(row, r->col + 1, 1, "+",
			   selected ? name : paint_style(LOOK_KEY));
	for (int i = 0; i < COLUMN_COUNT; i++) {
		if (!c->width[i])
			continue;
		if (i == COLUMN_LINES)
			draw_lines(row, r->col + c->at[i], c->width[i], lines,
				   selected || st.attrs, st);
		else
			paint_text(row, r->col + c->at[i], c->width[i], text[i],
				   i == COLUMN_STATE  ? state
				   : i == COLUMN_NAME ? name
				   : i == COLUMN_CLASH && !selected
				       ? paint_style(LOOK_ERROR)
				       : st);
	}
	buf_finish(&detail);
	buf_finish(&services);
	buf_finish(&groups);
	free(label);
}
