/*
 * groups.h - the sorted sessions in groups, and as rows of the list; the part
 * of sessions.c that only it uses.
 */
#ifndef AFW_TUI_MODEL_GROUPS_H
#define AFW_TUI_MODEL_GROUPS_H

#include "tui/model/sessions.h"

void groups_make(struct model *m); /* from sorted, which may change its order */
void groups_rows(struct model *m); /* shown, of these */
void groups_finish(struct model *m);

/* The group of a place in sorted; NULL where there are none. */
struct model_group *groups_of(const struct model *m, size_t at);
/* The row of a place in sorted, of a heading; nshown: there is none. */
size_t groups_row(const struct model *m, size_t at);
size_t groups_heading(const struct model *m, const char *key);

#endif
