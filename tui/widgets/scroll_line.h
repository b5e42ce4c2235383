/* scroll_line.h - the look of the lines of a text to read; for scroll.c. */
#ifndef AFW_TUI_WIDGETS_SCROLL_LINE_H
#define AFW_TUI_WIDGETS_SCROLL_LINE_H

#include "tui/widgets/scroll.h"

/* Draws line i of the text in a row of r, from its column s->shift on. */
void scroll_line_draw(const struct scroll *s, size_t i, int row,
		      const struct rect *r);
/* Draws the titles of its columns in r's first row. */
void scroll_line_titles(const struct scroll *s, const struct rect *r);

#endif
