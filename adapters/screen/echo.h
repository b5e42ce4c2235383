/*
 * echo.h - checks whether the screen shows the pasted text. Pure.
 */
#ifndef AFW_ADAPTERS_SCREEN_ECHO_H
#define AFW_ADAPTERS_SCREEN_ECHO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct rules;
struct screen_view;

/*
 * The default of adapter_echoed(). True if the end of the text is directly
 * before the cursor (without blanks, wrapped over rows), or is on the screen
 * once more than before; or if one more row matches the `collapsed` patterns.
 * And the composer contains nothing else, if that is known.
 */
bool echo_seen(const struct rules *r, const struct screen_view *before,
	       const struct screen_view *now, const char *text, size_t len);

/* True if the rows from row to end (exclusive) contain only the text, plain or
 * collapsed. */
bool echo_rows_contain(const struct rules *r, const struct screen_view *v,
		       int row, int end, const char *text, size_t len);

/*
 * True if shown (squeezed) is the text or its end, or could be: the characters
 * that every terminal draws alike match, and there are no more characters than
 * in the text.
 */
bool echo_is_end(const struct buf *shown, const char *text, size_t len);

#endif
