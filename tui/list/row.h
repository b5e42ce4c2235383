/* row.h - one session as a row of the list. */
#ifndef AFW_TUI_LIST_ROW_H
#define AFW_TUI_LIST_ROW_H

#include "tui/term/layout.h"
#include "tui/tui.h"

/* Draws s into a row of r, by the columns. */
void row_draw(struct tui *t, int row, const struct rect *r,
	      const struct columns *c, const struct session *s, bool selected);

/* "1 waiting · 2 done": as many of them as fit into cols, in style or, with
 * NULL, in their own. Returns the columns used. */
int row_draw_counts(int row, int col, int cols, const size_t counts[WORD_COUNT],
		    const struct style *style);

#endif
