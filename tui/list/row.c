/* row.c - draws one session as a row of the list. */
#include "tui/list/row.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/utf8.h"
#include "tui/hosts.h"
#include "tui/list/columns.h"
#include "tui/widgets/rows.h"

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
		/* Leave room for the sign that there are more. */
		if (used + need + 2 > cols)
			return used + paint_text(row, col + used, cols - used,
						 " …", style ? *style : quiet);
		used += paint_text(row, col + used, cols - used, sep,
				   style ? *style : quiet);
		used += paint_text(
		    row, col + used, cols - used, text,
		    style ? *style : paint_style(rows_look((enum word)w)));
	}
	return used;
}

/* Draws a label so that it fits: in "repository/name" the repository is cut
 * first, and left out if less than two columns of it remain. */
static void draw_name(int row, int col, int cols, const char *label,
		      struct style style)
{
	const char *name = strchr(label, '/');
	_free_ char *cut = NULL;
	int left;

	if (name && utf8_width(label, strlen(label)) > cols) {
		/* Without the slash and the sign that something is cut. */
		left = cols - utf8_width(name, strlen(name)) - 1;
		cut = left < 2
			  ? mem_strdup(name + 1)
			  : mem_printf("%.*s%s%s",
				       (int)utf8_fit(
					   label, (size_t)(name - label), left),
				       label, term_utf8() ? "…" : "~", name);
	}
	paint_text(row, col, cols, cut ? cut : label, style);
}

/* A state with a background of its own keeps it when selected, so that it is
 * seen in a row in reverse too; other colours in reverse are hard to read. */
static struct style state_style(enum word word, bool selected)
{
	struct style state = paint_style(rows_look(word));

	if (!selected || state.bg != SCREEN_COLOR_DEFAULT)
		return state;
	state.attrs ^= SCREEN_REVERSE;
	state.attrs &= SCREEN_BOLD | SCREEN_REVERSE;
	state.fg = SCREEN_COLOR_DEFAULT;
	return state;
}

static const char *mark_of(enum word word, bool selected)
{
	return selected		      ? "> "
	       : word == WORD_WAITING ? "* "
	       : word == WORD_FAILED  ? "! "
				      : "  ";
}

static void print(struct tui *t, enum column which, const struct columns *c,
		  const struct session *s, struct buf *out)
{
	if (which == COLUMN_DETAIL && hosts_note(t, s, false, out))
		return;
	if (which == COLUMN_DETAIL)
		roster_detail(
		    s, !c->width[COLUMN_GROUP] && t->roster.grouped != BY_GROUP,
		    out);
	else
		columns_print(t, which, s, out);
}

/* One that is out of reach looks like one that is not running. */
void row_draw(struct tui *t, int row, const struct rect *r,
	      const struct columns *c, const struct session *s, bool selected)
{
	struct style st = paint_style(LOOK_PLAIN);
	enum word word =
	    hosts_note(t, s, false, NULL) ? WORD_STOPPED : session_urgency(s);
	struct style state = state_style(word, selected);
	struct style name = st;
	_buf_ struct buf text = {0};

	if (rows_look(word) == LOOK_QUIET)
		st = paint_style(LOOK_QUIET);
	name.attrs = word == WORD_WAITING ? SCREEN_BOLD : st.attrs;
	if (selected) {
		st = (struct style){.attrs = SCREEN_REVERSE};
		name.attrs = SCREEN_REVERSE | SCREEN_BOLD;
		paint_fill(row, r->col, r->cols, st);
	}
	paint_text(row, r->col, 2, mark_of(word, selected),
		   selected		  ? name
		   : word == WORD_WAITING ? paint_style(LOOK_STRONG)
					  : state);
	if (strv_has(&t->roster.marked, s->spec.id))
		paint_text(row, r->col + 1, 1, "+",
			   selected ? name : paint_style(LOOK_KEY));
	for (int i = 0; i < COLUMN_COUNT; i++) {
		int col = r->col + c->at[i], cols = c->width[i];

		if (!cols)
			continue;
		buf_clear(&text);
		buf_adds(&text, ""); /* some columns are empty */
		print(t, (enum column)i, c, s, &text);
		if (i == COLUMN_NAME)
			draw_name(row, col, cols, text.data, name);
		else if (i == COLUMN_CHANGES)
			paint_changes(row, col, cols, text.data,
				      selected || st.attrs ? &st : NULL);
		else
			paint_text(row, col, cols, text.data,
				   i == COLUMN_STATE ? state
				   : i == COLUMN_CONFLICTS && !selected
				       ? paint_style(LOOK_ERROR)
				       : st);
	}
}
