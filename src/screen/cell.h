/* cell.h - one place on a screen: its character, colours and attributes. */
#ifndef AFW_SCREEN_CELL_H
#define AFW_SCREEN_CELL_H

#include <stdint.h>

/* Colours: 0xTTRRGGBB with TT one of these. */
#define SCREEN_COLOR_DEFAULT 0x00000000u
#define SCREEN_COLOR_INDEX   0x01000000u /* palette index in the low byte */
#define SCREEN_COLOR_RGB     0x02000000u

/* The 0xRRGGBB of one of the 256, as xterm has them. */
uint32_t cell_palette(int index);

enum screen_attr {
	SCREEN_BOLD = 1,
	SCREEN_DIM = 2,
	SCREEN_ITALIC = 4,
	SCREEN_UNDERLINE = 8,
	SCREEN_BLINK = 16,
	SCREEN_REVERSE = 32,
	SCREEN_STRIKE = 64,
	SCREEN_CONCEAL = 128,
};

#define SCREEN_CELL_CHARS 6
struct screen_cell {
	uint32_t chars[SCREEN_CELL_CHARS]; /* base and combining; 0 ends;
					      chars[0] 0: empty cell */
	uint8_t width;			   /* 1 or 2; 0: right half */
	uint16_t attrs;			   /* enum screen_attr */
	uint32_t fg, bg;
};

#endif
