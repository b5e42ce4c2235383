/* headings.h - the sorted sessions in groups, and as rows of the list; only
 * roster.c uses it. */
#ifndef AFW_TUI_MODEL_HEADINGS_H
#define AFW_TUI_MODEL_HEADINGS_H

#include "tui/model/roster.h"

void headings_make(
    struct roster *r); /* from sorted, whose order it may change */
void headings_rows(struct roster *r); /* sets shown from the groups */
void headings_finish(struct roster *r);

/* Returns the group of a position in sorted; NULL if there are none. */
struct roster_group *headings_of(const struct roster *r, size_t at);
/* Returns the row of the heading for a position in sorted; nshown: it has
 * none. */
size_t headings_row(const struct roster *r, size_t at);
size_t headings_heading(const struct roster *r, const char *key);

#endif
