/* columns.h - the columns of the list: which, what they say, what is above. */
#ifndef AFW_TUI_LIST_COLUMNS_H
#define AFW_TUI_LIST_COLUMNS_H

#include "tui/term/layout.h"
#include "tui/tui.h"

/* As dashboard.columns names them; NULL or none: the default. */
void columns_choose(struct chosen *out, const struct strv *names);

/* Appends what it says of s; of SAYS not what the list puts in front. */
void columns_print(struct tui *t, enum column which, const struct session *s,
		   struct buf *out);

/* What each of t's would need to show all, over all sessions of the list. */
void columns_wanted(struct tui *t, int wanted[COLUMN_COUNT]);

/* The headings; the last of r is right's ("1-7 of 60"), or "". */
void columns_draw(const struct rect *r, const struct chosen *chosen,
		  const struct columns *c, const char *right);

#endif
