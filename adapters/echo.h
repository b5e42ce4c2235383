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

/*
 * False where the composer is known to hold something else beside the text:
 * `composer` says where it begins, the cursor or `composer_end` where it
 * ends. Of a text that is longer than the composer its end is enough.
 * echo_seen() asks it.
 */
bool echo_alone(const struct rules *r, const struct view *v, const char *text,
		size_t len);

/* Whether rows row to end (exclusive) hold the text, or it collapsed, alone. */
bool echo_rows_hold(const struct rules *r, const struct view *v, int row,
		    int end, const char *text, size_t len);

/*
 * Whether shown (squeezed) is the text or its end, or could be: its
 * characters that every terminal draws alike are, and there are no more of
 * them all than the text has.
 */
bool echo_is_end(const struct buf *shown, const char *text, size_t len);

/* How many, without marks on others. */
size_t echo_characters(const struct buf *b);

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
