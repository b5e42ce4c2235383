/* look.h - what things mean on the screen, and how that looks. Pure. */
#ifndef AFW_TUI_LOOK_H
#define AFW_TUI_LOOK_H

#include "tui/style.h"

enum look {
	LOOK_PLAIN,
	LOOK_QUIET, /* less important */
	LOOK_STRONG,
	LOOK_HEADING,
	LOOK_BAR, /* the top line, behind a form */
	LOOK_KEY, /* a key's name */
	LOOK_WAITING,
	LOOK_WORKING,
	LOOK_DONE,
	LOOK_IDLE,
	LOOK_ERROR,
	LOOK_ADDED,
	LOOK_REMOVED,
	LOOK_COUNT,
};

/* On a terminal with so many colours; 0 and less: none. */
struct style look_style(enum look look, int colours);

#endif
