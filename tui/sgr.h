/*
 * sgr.h - text with colour sequences, read one character at a time.
 *
 * Pure: no curses, no allocation. The text is untrusted: whatever it holds,
 * what comes out is characters that are safe to show, each with its style.
 */
#ifndef AFW_TUI_SGR_H
#define AFW_TUI_SGR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tui/style.h"

struct sgr {
	const char *at, *end;
	struct style style; /* of the next character */
};

/* text is borrowed. Starts in style. */
void sgr_init(struct sgr *s, const char *text, size_t len, struct style style);

/*
 * The next character, or false at the end. SGR sequences (ESC[...m) change
 * the style; every other escape sequence is swallowed whole; TAB is a space;
 * control bytes, bidi controls, hidden characters and invalid bytes come
 * out as '?'. Zero-width joiners and variation selectors are left out: they
 * would make the terminal's columns differ from ours.
 */
bool sgr_next(struct sgr *s, uint32_t *cp, struct style *style);

/* Columns that the text takes. */
int sgr_width(const char *text, size_t len);

#endif
