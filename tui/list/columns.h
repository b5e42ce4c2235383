/* columns.h - the columns of the list: which, what they need, what is above. */
#ifndef AFW_TUI_LIST_COLUMNS_H
#define AFW_TUI_LIST_COLUMNS_H

#include "tui/model/roster.h"
#include "tui/term/layout.h"

/* As dashboard.columns names them; NULL or none: the default. */
void columns_choose(struct chosen *out, const struct strv *names);

/* What each would need to show all, over all sessions of the list. */
void columns_wanted(const struct roster *roster, int wanted[COLUMN_COUNT]);

/* The headings; the last of r is right's ("1-7 of 60"), or "". */
void columns_draw(const struct rect *r, const struct chosen *chosen,
		  const struct columns *c, const char *right);

/* What the column LINES says: "+12 -3", "2 files" or nothing. */
void columns_lines(const struct session *s, char *out, size_t size);
/* "$0.12"; "" where it is not told. */
void columns_cost(const struct session *s, char *out, size_t size);
/* Its services that are ready, of how many ("1/2"); its groups. Appends. */
void columns_services(const struct session *s, struct buf *out);
void columns_groups(const struct session *s, struct buf *out);

#endif
