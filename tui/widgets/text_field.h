/* text_field.h - text that is being edited: a field of a form, a message. */
#ifndef AFW_TUI_WIDGETS_TEXT_FIELD_H
#define AFW_TUI_WIDGETS_TEXT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "tui/term/paint.h"
#include "tui/term/term.h"

#define COMPOSE_KEY ('G' - '@') /* opens the text in an editor */

/* Zeroed: empty, with one line and the default limit. */
struct text {
	struct buf buf; /* UTF-8; data may be NULL while empty */
	size_t at;	/* the cursor, a byte offset between two characters */
	bool many;	/* may have several lines */
	size_t max;	/* bytes; 0: 4096 */
	bool full;	/* something did not fit; for the caller to report */
};

void text_finish(struct text *t);
void text_set(struct text *t, const char *s);
const char *text_get(const struct text *t); /* never NULL; borrowed */

/* Handles a key for editing (characters, paste, cursor, deleting, a newline by
 * Ctrl-J or Alt-Enter); returns false for others. The caller handles Enter, Tab
 * and Esc. */
bool text_key(struct text *t, struct key k);

/* Draws it into r, wrapped if it may have many lines, else scrolled sideways;
 * sets the cursor's place. */
void text_draw(const struct text *t, const struct rect *r, struct style style,
	       int *cursor_row, int *cursor_col);

#endif
