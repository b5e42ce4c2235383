/* comment_weave.h - a diff with the comments on it below their lines. Pure. */
#ifndef AFW_SESSION_REVIEW_COMMENT_WEAVE_H
#define AFW_SESSION_REVIEW_COMMENT_WEAVE_H

#include <stdbool.h>

#include "base/buf.h"
#include "session/review/comments.h"

/* What a diff's line never begins with. */
#define COMMENT_ROW '|'

/*
 * Appends the diff with all comments that are not resolved:
 *
 *	| [3] not sent
 *	|   Use the helper.
 *
 * whole: the diff shows all changes, so that one whose lines are not in it is
 * stale; it is shown where its file begins, or first. Otherwise it is left out.
 */
void comments_weave(const struct comments *c, const char *diff, bool whole,
		    struct buf *out);

/* Returns the number of the comment that a row of such a text shows, 0 for
 * none; the text is the whole one, and rows are counted from 0. Appends its
 * text to out, if that is not NULL. */
int64_t comment_at_row(const char *woven, size_t row, struct buf *out);

#endif
