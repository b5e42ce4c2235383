/* preview.h - the area beside or below the list: the selected session's screen
 * or another tab. It has no keys; the reader, a view, moves through its
 * text. */
#ifndef AFW_TUI_PREVIEW_PREVIEW_H
#define AFW_TUI_PREVIEW_PREVIEW_H

#include "tui/tui.h"

/* Divides body into the list's part and the preview's. */
void preview_frame(const struct tui *t, struct frame *f,
		   const struct rect *body);

void preview_draw(struct tui *t, const struct rect *r, bool beside);
/* Draws the preview for a view above the list; if the list leaves no room for
 * it, in the list's place. */
void preview_draw_alone(struct tui *t, struct view *v, const struct rect *body);

/* Returns true if the mouse is on the border between the list and the
 * preview. */
bool preview_divide(struct tui *t, const struct mouse *m);

/* Returns a view whose keys move in the tab's text, or in the screen's
 * history. */
struct view *reader_view(struct tui *t);
/* Handles the mouse in the preview (a tab's name, the wheel); returns false
 * elsewhere. */
bool reader_handle_mouse(struct tui *t, const struct mouse *m);

#endif
