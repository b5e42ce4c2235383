/*
 * text_field.h - text that is being edited: a field of a form, a message.
 */
#ifndef AFW_TUI_WIDGETS_TEXT_FIELD_H
#define AFW_TUI_WIDGETS_TEXT_FIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "tui/term/paint.h"
#include "tui/term/term.h"

#define COMPOSE_KEY ('G' - '@') /* where it can be written in an editor */

/* A zeroed one is empty, of one line and without a limit of its own. */
struct text {
	struct buf buf; /* UTF-8; data may be NULL while empty */
	size_t at;	/* the cursor, a byte offset at a character's border */
	bool many;	/* may have several lines */
	size_t max;	/* bytes; 0: 4096 */
	bool full;	/* something did not fit; for the caller to tell */
};

void text_finish(struct text *t);
void text_set(struct text *t, const char *s);
const char *text_get(const struct text *t); /* never NULL; borrowed */

/* True where it was a key for editing (characters, paste, cursor, deleting,
 * a newline by Ctrl-J or Alt-Enter). Enter, Tab and Esc are the caller's. */
bool text_key(struct text *t, struct key k);

/*
 * Draws it into r, wrapped where it may have many lines, else scrolled
 * sideways; says where the cursor is.
 */
void text_draw(const struct text *t, const struct rect *r, struct style style,
	       int *cursor_row, int *cursor_col);

#endif
