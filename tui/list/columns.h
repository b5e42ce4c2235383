/* columns.h - the columns of the list: which are shown, their text, and their
 * headings. */
#ifndef AFW_TUI_LIST_COLUMNS_H
#define AFW_TUI_LIST_COLUMNS_H

#include "tui/term/layout.h"
#include "tui/tui.h"

/* Chooses the columns that dashboard.columns names; NULL or empty: the
 * default. */
void columns_choose(struct chosen *out, const struct strv *names);

/* Appends the column's text for s; for SAYS without what the list puts before
 * it. */
void columns_print(struct tui *t, enum column which, const struct session *s,
		   struct buf *out);

/* Sets the width that each of t's columns needs to show all sessions of the
 * list. */
void columns_measure(struct tui *t, int wanted[COLUMN_COUNT]);

/* Draws the titles, the one that the list is sorted by in bold; the last
 * columns of r are for right ("1-7 of 60"), or "". */
void columns_draw(const struct tui *t, const struct rect *r,
		  const struct columns *c, const char *right);

/* Returns the column that is shown at col, or COLUMN_COUNT. */
enum column columns_at(const struct columns *c, int col);
/* Sets the order that sorts by a column; false: there is none. */
bool columns_order(enum column which, enum order *out);

#endif
