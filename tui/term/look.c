/*
 * look.c - the table of looks.
 *
 * The terminal is not asked whether it is light or dark, so every look must be
 * readable on both. Themes choose the 16 named colours for their own
 * background, but the oldest palettes have a yellow, green and cyan that cannot
 * be seen on white. With 256 colours, most of which no theme changes, the looks
 * therefore use colours of medium lightness: a contrast of at least 3 against
 * black, white and the backgrounds of usual themes. Waiting sessions have a
 * background of their own. No information is given by colour alone.
 */
#include "tui/term/look.h"

#define INDEX(n) (SCREEN_COLOR_INDEX | (n))

static const struct {
	struct style many;	 /* with at least 256 colours */
	uint32_t few_fg, few_bg; /* with 8 or 16, the same attributes */
	unsigned none;		 /* attributes without colours */
} looks[LOOK_COUNT] = {
#define SAME(attrs)                                                            \
	{                                                                      \
		{0, 0, attrs}, 0, 0, attrs                                     \
	}
    [LOOK_PLAIN] = SAME(0),
    [LOOK_QUIET] = SAME(SCREEN_DIM),
    [LOOK_STRONG] = SAME(SCREEN_BOLD),
    [LOOK_HEADING] = SAME(SCREEN_DIM),
    [LOOK_BAR] = SAME(SCREEN_BOLD),
    [LOOK_KEY] = {{INDEX(31), 0, SCREEN_BOLD}, INDEX(6), 0, SCREEN_BOLD},
    /* Not bold: many terminals would show black as grey. */
    [LOOK_WAITING] = {{INDEX(16), INDEX(214), 0},
		      INDEX(0),
		      INDEX(3),
		      SCREEN_BOLD | SCREEN_REVERSE},
    [LOOK_WORKING] = {{INDEX(31), 0, 0}, INDEX(6), 0, 0},
    [LOOK_DONE] = {{INDEX(64), 0, 0}, INDEX(2), 0, 0},
    [LOOK_IDLE] = SAME(0),
    [LOOK_ERROR] = {{INDEX(196), 0, SCREEN_BOLD}, INDEX(1), 0, SCREEN_BOLD},
    [LOOK_ADDED] = {{INDEX(64), 0, 0}, INDEX(2), 0, 0},
    [LOOK_REMOVED] = {{INDEX(167), 0, 0}, INDEX(1), 0, 0},
#undef SAME
};

struct style look_style(enum look look, int colours)
{
	struct style st = looks[look].many;

	if (colours >= 256)
		return st;
	if (colours < 8)
		return (struct style){.attrs = looks[look].none};
	st.fg = looks[look].few_fg;
	st.bg = looks[look].few_bg;
	return st;
}

uint32_t look_rgb(uint32_t colour)
{
	return colour & SCREEN_COLOR_RGB ? colour & 0xffffff
					 : cell_palette(colour & 255);
}

static int distance(uint32_t a, uint32_t b)
{
	int sum = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		int d = (int)(a >> shift & 255) - (int)(b >> shift & 255);

		sum += d * d;
	}
	return sum;
}

int look_nearest(uint32_t rgb, int from, int to)
{
	int best = from;

	for (int i = from + 1; i < to; i++)
		if (distance(rgb, cell_palette(i)) <
		    distance(rgb, cell_palette(best)))
			best = i;
	return best;
}
