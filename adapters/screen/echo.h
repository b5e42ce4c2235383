/*
 * echo.h - does the screen show the text that was pasted? Pure.
 */
#ifndef AFW_ADAPTERS_SCREEN_ECHO_H
#define AFW_ADAPTERS_SCREEN_ECHO_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

struct rules;
struct screen_view;

/*
 * The default of adapter_echoed(): the end of the text stands right in front
 * of the cursor (blanks squeezed, wrapped over rows), or is on the screen
 * once more than before; or one more row matches the `collapsed` patterns.
 * And nothing else stands in the composer, where that is known.
 */
bool echo_seen(const struct rules *r, const struct screen_view *before,
	       const struct screen_view *now, const char *text, size_t len);

/* Whether rows row to end (exclusive) hold the text, or it collapsed, alone. */
bool echo_rows_hold(const struct rules *r, const struct screen_view *v, int row,
		    int end, const char *text, size_t len);

/*
 * Whether shown (squeezed) is the text or its end, or could be: its
 * characters that every terminal draws alike are, and there are no more of
 * them all than the text has.
 */
bool echo_is_end(const struct buf *shown, const char *text, size_t len);

#endif
