/*
 * echo.h - does the screen show the text that was pasted? Pure.
 */
#ifndef AFW_ADAPTERS_ECHO_H
#define AFW_ADAPTERS_ECHO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct rules;
struct view;

/*
 * The default of adapter_echoed(): the end of the text stands right in front
 * of the cursor (blanks squeezed, wrapped over rows), or is on the screen
 * once more than before; or one more row matches the `collapsed` patterns.
 */
bool echo_seen(const struct rules *r, const struct view *before,
	       const struct view *now, const char *text, size_t len);

/* Appends s without blanks, box drawing and '|'. */
void echo_squeeze(const char *s, size_t len, struct buf *out);

/*
 * The end of the text, squeezed: its last line that is not blank, at most
 * the last max bytes (whole characters). Appended; nothing for blank text.
 */
void echo_tail(const char *text, size_t len, size_t max, struct buf *out);

/* True where one more of now's rows matches `collapsed` than of before's. */
bool echo_collapsed(const struct rules *r, const struct view *before,
		    const struct view *now);

#endif
