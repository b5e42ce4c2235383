/*
 * menu.h - the numbered menu at the screen's end, told from what a model has
 * printed to look like one. Pure.
 */
#ifndef AFW_ADAPTERS_SCREEN_MENU_H
#define AFW_ADAPTERS_SCREEN_MENU_H

#include <stdbool.h>

#include "adapters/adapter.h"

/* How a harness draws its menus. */
struct menu_shape {
	const char *marker; /* in front of the highlighted option: "❯" */
	const char *frame;  /* round its rows: "│"; NULL: none */
	const char *end;    /* how what stands below it begins, the screen's
			       last text */
	bool tight;	    /* no blank row need be above that */
	bool endless;	    /* or there may be nothing below it */
	const char *dialog; /* how the dialog's rows above it begin … */
	bool gaps;	    /* … but for empty ones among them */
};

/*
 * Fills out with the dialog of a menu that is the last on the screen and
 * whole: numbers from 1 on below each other, one marker, and between the
 * options only what is indented deeper, as their wrapped texts. No options:
 * there is none, or that is not sure.
 */
void menu_find(const struct screen_view *v, const struct menu_shape *shape,
	       struct dialog *out);

#endif
