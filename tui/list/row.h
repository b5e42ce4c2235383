/* row.h - draws one session as a row of the list. */
#ifndef AFW_TUI_LIST_ROW_H
#define AFW_TUI_LIST_ROW_H

#include "tui/term/layout.h"
#include "tui/tui.h"

/* Draws the columns of s in a row of r. */
void row_draw(struct tui *t, int row, const struct rect *r,
	      const struct columns *c, const struct session *s, bool selected);

/* Draws "1 waiting · 2 done": as many as fit into cols, in style or, with NULL,
 * each in its own. Returns the columns used. */
int row_draw_counts(int row, int col, int cols, const size_t counts[WORD_COUNT],
		    const struct style *style);

#endif
