/* search.h - the keys that search the text of a view, whose hook text returns
 * it. */
#ifndef AFW_TUI_WIDGETS_SEARCH_H
#define AFW_TUI_WIDGETS_SEARCH_H

#include "tui/view.h"

/* In a view's table of keys. */
#define SEARCH_KEYS                                                            \
	{"{filter}", "search", "search for a text", NULL},                     \
	{                                                                      \
		SEARCH_NEXT, "next, last", "the next match, the one before",   \
		    NULL                                                       \
	}
#define SEARCH_NEXT "n/N"

/* Handles a key of SEARCH_KEYS; returns false for others. */
bool search_key(struct tui *t, struct view *v, struct key k);
bool search_is_on(const struct tui *t, const struct view *v);

#endif
