/* look.h - the meanings of text on the screen, and their colours. Pure. */
#ifndef AFW_TUI_TERM_LOOK_H
#define AFW_TUI_TERM_LOOK_H

#include "screen/cell.h"

enum look {
	LOOK_PLAIN,
	LOOK_QUIET, /* less important */
	LOOK_STRONG,
	LOOK_HEADING,
	LOOK_BAR, /* the name in the top line */
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

/* Colours and attributes of a cell. Zeroed: plain. */
struct style {
	uint32_t fg, bg;
	unsigned attrs;
};

/* Returns the style on a terminal with that many colours; 0 or less: none. */
struct style look_style(enum look look, int colours);

/* Returns the 0xRRGGBB of a colour other than the default one. */
uint32_t look_rgb(uint32_t colour);

/* Returns the index of the nearest of the 256 colours, from `from` up to `to`,
 * exclusive. */
int look_nearest(uint32_t rgb, int from, int to);

#endif
