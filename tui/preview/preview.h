/*
 * preview.h - what is beside the list, or below it: the selected session's
 * screen or another tab. It has no keys of its own; the reader, a view, moves
 * through its text.
 */
#ifndef AFW_TUI_PREVIEW_PREVIEW_H
#define AFW_TUI_PREVIEW_PREVIEW_H

#include "tui/tui.h"

/* The list's part and the preview's, of body. */
void preview_frame(const struct tui *t, struct frame *f,
		   const struct rect *body);

void preview_draw(struct tui *t, const struct rect *r, bool beside);
/* The draw of a view above the list: if that has no room for the preview, in
 * its place. */
void preview_draw_alone(struct tui *t, struct view *v, const struct rect *body);

/* True if the mouse is on what divides the list from the preview. */
bool preview_divide(struct tui *t, const struct mouse *m);

/* The keys are the tab's: moves in its text, or back in what the screen
 * showed. */
struct view *reader_view(void);
/* True if it was in the preview: a tab's name, the wheel. */
bool reader_take_mouse(struct tui *t, const struct mouse *m);

#endif
