/* comment_weave.h - prints a diff with the comments below their lines. Pure. */
#ifndef AFW_SESSION_REVIEW_COMMENT_WEAVE_H
#define AFW_SESSION_REVIEW_COMMENT_WEAVE_H

#include <stdbool.h>

#include "base/buf.h"
#include "session/review/comments.h"

/* The first character of a comment's row; no line of a diff begins with it. */
#define COMMENT_ROW '|'

/*
 * Appends the diff with all comments that are not resolved:
 *
 *	| [3] not sent
 *	|   Use the helper.
 *
 * whole: the diff has all changes, so that a comment whose lines are not in it
 * is stale; it is shown where its file begins, or first. If the diff is not
 * whole, such a comment is left out.
 */
void comments_weave(const struct comments *c, const char *diff, bool whole,
		    struct buf *out);

/* Returns the number of the comment in a row of such a text, or 0; rows are
 * counted from the start of the whole text, from 0. Appends the comment's text
 * to out, if out is not NULL. */
int64_t comment_at_row(const char *woven, size_t row, struct buf *out);

#endif
