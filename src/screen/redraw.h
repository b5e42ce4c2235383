/* redraw.h - the model shown on a client's terminal, which is left as it was.
 */
#ifndef AFW_SCREEN_REDRAW_H
#define AFW_SCREEN_REDRAW_H

#include "screen/screen.h"

/*
 * Appends what brings any terminal of the model's size, in any state, to
 * show exactly this: soft reset, modes (alternate screen, mouse, paste,
 * kitty flags, keypad, cursor shape), title, content, cursor, region, pen.
 * Includes history lines of scrollback where the main screen is shown, so
 * that the terminal's own scrollback has them (0: none). While the session is
 * on the alternate screen, the main screen is drawn below it, for when the
 * harness leaves it. The terminal's main screen is overwritten.
 */
void screen_redraw(const struct screen *s, int history, struct buf *out);

/*
 * The same for a client of another size (cols x rows): the part around the
 * cursor that fits, clipped, without scrollback, cursor placed or hidden.
 * reset: also sets all modes; pass true for the first redraw and whenever
 * screen_modes() or the title have changed. Such a client is always on the
 * alternate screen, and must not get the output of the pass callback.
 * first_line, printable text, covers the first row; "": nothing does.
 */
void screen_redraw_clipped(const struct screen *s, int cols, int rows,
			   bool reset, const char *first_line, struct buf *out);

/* Appends the sequences that save the terminal's title and its wheel mode,
 * which screen_leave() restores. Call it once, before the first redraw. */
void screen_enter(struct buf *out);

/*
 * Appends what takes a terminal out of every mode that a redraw or a
 * harness's output can have set, and leaves the cursor on a fresh line of
 * the main screen with the colours reset. For detaching; independent of the
 * model, so that it also repairs a terminal after a crash. Restores the title
 * that screen_enter() saved.
 */
void screen_leave(struct buf *out);

/*
 * Appends what takes the terminal that what passed has been shown on out of
 * the modes that are still set, and leaves the cursor where it is.
 */
void screen_end(const struct screen *s, struct buf *out);

#endif
