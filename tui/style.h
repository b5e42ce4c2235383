/* style.h - how a character looks, without saying how curses does it. */
#ifndef AFW_TUI_STYLE_H
#define AFW_TUI_STYLE_H

#include <stdbool.h>
#include <stdint.h>

/* Colours: -1 the terminal's own, 0-255 its palette, or STYLE_RGB(). */
#define STYLE_DEFAULT (-1)
#define STYLE_RGB_BIT 0x1000000
#define STYLE_RGB(r, g, b)                                                     \
	(STYLE_RGB_BIT | (int32_t)(r) << 16 | (int32_t)(g) << 8 | (int32_t)(b))

enum style_attr { /* as enum screen_attr */
		  STYLE_BOLD = 1 << 0,
		  STYLE_DIM = 1 << 1,
		  STYLE_ITALIC = 1 << 2,
		  STYLE_UNDERLINE = 1 << 3,
		  STYLE_BLINK = 1 << 4,
		  STYLE_REVERSE = 1 << 5,
		  STYLE_STRIKE = 1 << 6,
		  STYLE_HIDDEN = 1 << 7,
};

struct style {
	int32_t fg, bg;
	unsigned attrs;
};

#define STYLE_PLAIN ((struct style){STYLE_DEFAULT, STYLE_DEFAULT, 0})

/* The colour of the 256 (16 and up) that is nearest to an RGB value. */
int style_nearest_256(int32_t rgb);

/* The RGB value of one of the 256, as xterm has them. */
int32_t style_palette_rgb(int index);

/* One of the eight for a colour of the 256 or an RGB one; *bright says that
 * it is of the lighter half. */
int style_nearest_8(int32_t colour, bool *bright);

#endif
