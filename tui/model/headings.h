/*
 * headings.h - the sorted sessions in groups, and as rows of the list; the part
 * of roster.c that only it uses.
 */
#ifndef AFW_TUI_MODEL_HEADINGS_H
#define AFW_TUI_MODEL_HEADINGS_H

#include "tui/model/roster.h"

void headings_make(
    struct roster *r); /* from sorted, which may change its order */
void headings_rows(struct roster *r); /* shown, of these */
void headings_finish(struct roster *r);

/* The group of a place in sorted; NULL where there are none. */
struct roster_group *headings_of(const struct roster *r, size_t at);
/* The row of a place in sorted, of a heading; nshown: there is none. */
size_t headings_row(const struct roster *r, size_t at);
size_t headings_heading(const struct roster *r, const char *key);

#endif
