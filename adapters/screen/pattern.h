/*
 * pattern.h - makes patterns, as for rules.h, of rows of a screen.
 *
 * A row has a frame (blanks and lines of boxes) at its ends and a text in it.
 * The frame is kept, because it distinguishes the row from one that a model
 * prints; numbers, wide gaps, and the words that the caller names are replaced
 * by what matches any. Pure.
 */
#ifndef AFW_ADAPTERS_SCREEN_PATTERN_H
#define AFW_ADAPTERS_SCREEN_PATTERN_H

#include <regex.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/mem.h"

/* Sets *from and *to to the text of a row; both to its end if it has none. */
void pattern_find_text(const char *row, size_t *from, size_t *to);

/* Returns whether a row begins with the line of a box, or is a rule. */
bool pattern_is_border(const char *row);

/* Returns whether s matches, without regard to case; m[4] gets what, unless it
 * is NULL. */
bool pattern_matches(const char *pattern, const char *s, regmatch_t *m);

/* Returns how many rows match; all and more for an invalid pattern. */
size_t pattern_count(const char *pattern, const struct strv *rows);

/* Returns whether it matches text of any kind. */
bool pattern_fits_all(const char *pattern);

/* Append to a pattern: a text, in which each word with a match of varies (a
 * pattern, or NULL) stands for any words; a frame, as it is except a wide
 * margin; what follows a text that ends at to; a whole row, its text as a
 * group; the beginning of a border. */
void pattern_add_text(struct buf *out, const char *s, size_t len,
		      const char *varies);
void pattern_add_frame(struct buf *out, const char *s, size_t len);
void pattern_add_end(struct buf *out, const char *row, size_t to);
void pattern_add_row(struct buf *out, const char *row, const char *varies);
void pattern_add_border(struct buf *out, const char *row);

#endif
