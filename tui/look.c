/*
 * look.c - the table of looks.
 *
 * The terminal is not asked whether it is light or dark, so all of this has
 * to be read on both. Themes choose the 16 named colours for their own
 * background, but the oldest palettes have a yellow, green and cyan that
 * cannot be seen on white. So where there are 256, most of which no theme
 * touches, they are of middling lightness: a contrast of 3 and more against
 * black, white and the backgrounds of usual themes. Who waits for the user
 * brings the background along. Nothing is told by colour alone.
 */
#include "tui/look.h"

#define DEFAULT STYLE_DEFAULT

static const struct {
	struct style many;	/* with 256 colours and more */
	int32_t few_fg, few_bg; /* with 8 or 16, the same attributes */
	unsigned none;		/* attributes without colours */
} looks[LOOK_COUNT] = {
#define SAME(attrs)                                                            \
	{                                                                      \
		{DEFAULT, DEFAULT, attrs}, DEFAULT, DEFAULT, attrs             \
	}
    [LOOK_PLAIN] = SAME(0),
    [LOOK_QUIET] = SAME(STYLE_DIM),
    [LOOK_STRONG] = SAME(STYLE_BOLD),
    [LOOK_HEADING] = SAME(STYLE_DIM),
    [LOOK_BAR] = SAME(STYLE_BOLD),
    [LOOK_KEY] = {{31, DEFAULT, STYLE_BOLD}, 6, DEFAULT, STYLE_BOLD},
    /* Not bold: many terminals would turn the black to grey. */
    [LOOK_WAITING] = {{16, 214, 0}, 0, 3, STYLE_BOLD | STYLE_REVERSE},
    [LOOK_WORKING] = {{31, DEFAULT, 0}, 6, DEFAULT, 0},
    [LOOK_DONE] = {{64, DEFAULT, 0}, 2, DEFAULT, 0},
    [LOOK_IDLE] = SAME(0),
    [LOOK_ERROR] = {{196, DEFAULT, STYLE_BOLD}, 1, DEFAULT, STYLE_BOLD},
    [LOOK_ADDED] = {{64, DEFAULT, 0}, 2, DEFAULT, 0},
    [LOOK_REMOVED] = {{167, DEFAULT, 0}, 1, DEFAULT, 0},
#undef SAME
};

struct style look_style(enum look look, int colours)
{
	struct style st = looks[look].many;

	if (colours >= 256)
		return st;
	if (colours < 8)
		return (struct style){DEFAULT, DEFAULT, looks[look].none};
	st.fg = looks[look].few_fg;
	st.bg = looks[look].few_bg;
	return st;
}
