/*
 * menu.h - finds the menu at the screen's end, and not a text of the
 * model that looks like one. Pure.
 */
#ifndef AFW_ADAPTERS_SCREEN_MENU_H
#define AFW_ADAPTERS_SCREEN_MENU_H

#include <stdbool.h>

#include "adapters/adapter.h"

/* How a harness draws its menus. */
struct menu_shape {
	const char *marker; /* before the highlighted option: "❯" */
	const char *frame;  /* around its rows: "│"; NULL: none */
	const char *end;    /* the first characters of its footer, the screen's
			       last text */
	bool tight;	    /* the footer needs no blank row above */
	bool endless;	    /* the footer may be missing */
	bool unnumbered;    /* its options may have no numbers */
	const char
	    *dialog; /* the first characters of the dialog's rows above it … */
	bool gaps;   /* … which may include empty ones */
};

/*
 * Stores the dialog of a complete menu at the screen's end: numbers from 1 on
 * below each other, one marker, and between the options only rows that are
 * indented deeper, as wrapped texts. No options: there is no menu, or it is not
 * certain. Without numbers, the options are rows of one column.
 */
void menu_find(const struct screen_view *v, const struct menu_shape *shape,
	       struct dialog *out);

#endif
