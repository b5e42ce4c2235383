/* fold.h - the headings of groups in the list, and the keys of the order. */
#ifndef AFW_TUI_LIST_FOLD_H
#define AFW_TUI_LIST_FOLD_H

#include "tui/term/keys.h"
#include "tui/tui.h"

/* Draws the heading that is row at of the list. */
void fold_draw(struct tui *t, int row, const struct rect *r, size_t at);

/* A key of the order or the groups: true. */
bool fold_key(struct tui *t, enum act act);

/*
 * A key for a session, where none is selected. On a heading: true, it is done
 * or said why not; where it is for the marked, one of them is *s.
 */
bool fold_act(struct tui *t, enum act act, const struct session **s);

#endif
