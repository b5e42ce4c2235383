/* fold.h - the headings of groups in the list, and the keys of the order. */
#ifndef AFW_TUI_LIST_FOLD_H
#define AFW_TUI_LIST_FOLD_H

#include "tui/term/keys.h"
#include "tui/tui.h"

/* Draws the heading in row at of the list. */
void fold_draw(struct tui *t, int row, const struct rect *r, size_t at);

/* Sorts the list, and shows by what. */
void fold_order(struct tui *t, enum order order);

/* Handles a key of the order or the groups; returns false for other keys. */
bool fold_key(struct tui *t, enum act act);

/*
 * Handles a key for a session if none is selected. On a heading returns true,
 * with the key handled or the reason shown; if the key applies to the marked
 * sessions, returns false with one of them in *s.
 */
bool fold_act(struct tui *t, enum act act, const struct session **s);

#endif
