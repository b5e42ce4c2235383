/* fold.c - the headings of groups, and the keys of order and groups. */
#include "tui/list/fold.h"

#include <stdio.h>
#include <stdlib.h>

#include "tui/list/row.h"

static bool is_marked(const struct roster *roster, const struct roster_group *g)
{
	for (size_t i = 0; roster->marked.n && i < g->n; i++)
		if (strv_has(&roster->marked,
			     roster_member(roster, g, i)->spec.id))
			return true;
	return false;
}

/* "> ▾ web (3)  1 waiting · 2 working"; those at a limit are counted by its
 * line. */
void fold_draw(struct tui *t, int row, const struct rect *r, size_t at)
{
	const struct roster *roster = &t->roster;
	const struct roster_group *g = roster_heading(roster, at);
	size_t counts[WORD_COUNT] = {0};
	bool selected = at == roster->cursor;
	struct style st = paint_style(LOOK_STRONG);
	_buf_ struct buf title = {0};
	char text[48];
	int used = 2;

	for (size_t i = 0; i < g->n; i++)
		counts[session_urgency(roster_member(roster, g, i))]++;
	if (selected) {
		st = (struct style){.attrs = SCREEN_REVERSE | SCREEN_BOLD};
		paint_fill(row, r->col, r->cols, st);
	}
	paint_text(row, r->col, 2,
		   selected		  ? "> "
		   : counts[WORD_WAITING] ? "* "
					  : "  ",
		   st);
	if (is_marked(roster, g))
		paint_text(row, r->col + 1, 1, "+", st);
	used += paint_text(row, r->col + used, r->cols - used,
			   !term_utf8() ? (g->folded ? "> " : "v ")
			   : g->folded	? "▸ "
					: "▾ ",
			   st);
	roster_group_title(roster, g, &title);
	if (roster->grouped == BY_LIMIT) {
		paint_text(row, r->col + used, r->cols - used, title.data, st);
		return;
	}
	snprintf(text, sizeof text, " (%zu)", g->n);
	used +=
	    paint_text(row, r->col + used, r->cols - used - 20, title.data, st);
	used += paint_text(row, r->col + used, r->cols - used, text, st);
	used += 2;
	row_draw_counts(row, r->col + used, r->cols - used, counts,
			selected ? &st : NULL);
}

static void fold(struct tui *t, bool fold)
{
	if (t->roster.grouped == BY_NONE)
		tui_set_message(t, LOOK_PLAIN,
				"there are no groups: %s groups the list",
				keys_name(ACT_GROUP_BY));
	else if (!roster_fold(&t->roster, fold) && fold && t->roster.filter)
		tui_set_message(t, LOOK_PLAIN,
				"with a filter all groups are unfolded");
}

void fold_order(struct tui *t, enum order order)
{
	t->roster.order = order;
	tui_set_message(t, LOOK_PLAIN, "order: %s%s", order_name(order),
			order == ORDER_NEED
			    ? ", those that need you first, then the oldest"
			    : "");
	roster_arrange(&t->roster);
}

bool fold_key(struct tui *t, enum act act)
{
	struct roster *roster = &t->roster;

	switch (act) {
	case ACT_ORDER:
		fold_order(t, (roster->order + 1) % ORDER_COUNT);
		return true;
	case ACT_GROUP_BY:
		roster->by = (roster->by + 1) % BY_COUNT;
		strv_finish(&roster->folded);
		tui_set_message(t, LOOK_PLAIN,
				roster->by == BY_NONE ? "no groups" : "by %s",
				order_by_name(roster->by));
		break;
	case ACT_FOLD:
	case ACT_UNFOLD:
		fold(t, act == ACT_FOLD);
		return true;
	default:
		return false;
	}
	roster_arrange(roster);
	return true;
}

static bool is_for_marked(enum act act)
{
	return act == ACT_SEND || act == ACT_RESUME || act == ACT_STOP ||
	       act == ACT_SLEEP || act == ACT_REMOVE || act == ACT_PIN ||
	       act == ACT_ARCHIVE;
}

bool fold_act(struct tui *t, enum act act, const struct session **s)
{
	const struct roster *roster = &t->roster;
	const struct roster_group *g = roster_heading(roster, roster->cursor);

	if (!g)
		return false;
	if (act == ACT_ATTACH) {
		fold(t, !g->folded);
		return true;
	}
	if (roster->marked.n && is_for_marked(act)) {
		*s = roster_by_id(roster, roster->marked.v[0]);
		return !*s;
	}
	tui_set_message(
	    t, LOOK_PLAIN,
	    "this is a group: go to a session in it, or mark all with %s",
	    keys_name(ACT_MARK));
	return true;
}
