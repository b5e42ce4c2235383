/* look.h - what things mean on the screen, and how that looks. Pure. */
#ifndef AFW_TUI_TERM_LOOK_H
#define AFW_TUI_TERM_LOOK_H

#include "screen/cell.h"

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

/* Colours and attributes as a cell has them. Zeroed: plain. */
struct style {
	uint32_t fg, bg;
	unsigned attrs;
};

/* On a terminal with so many colours; 0 and less: none. */
struct style look_style(enum look look, int colours);

/* The 0xRRGGBB of a colour that is not the default one. */
uint32_t look_rgb(uint32_t colour);

/* The index, from up to but not to, of the 256 that is nearest to it. */
int look_nearest(uint32_t rgb, int from, int to);

#endif
