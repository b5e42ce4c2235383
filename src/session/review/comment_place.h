/* comment_place.h - which lines of a diff a comment is about. Pure. */
#ifndef AFW_SESSION_REVIEW_COMMENT_PLACE_H
#define AFW_SESSION_REVIEW_COMMENT_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "session/review/comments.h"

/*
 * Sets file, line and lines from the rows first to last of a diff, counted from
 * 0. Rows in a hunk are quoted; other rows of a file mean the whole file, and
 * rows before the first file all changes. Rows of comments (comment_weave.h)
 * are skipped. ERR_USAGE if the rows are of several hunks, or too many.
 */
int comment_quote(struct comment *c, const char *diff, size_t first,
		  size_t last, struct err *err);

struct comment_place {
	/* The lines are in the diff: at the same place, or once elsewhere.
	 * Otherwise they have changed since. */
	bool found;
	size_t row;    /* of the last line, if found */
	size_t line;   /* the first line's number now, if found; else as in the
			  comment */
	long file_row; /* where its file begins in the diff; -1: it is not there
			*/
};

/* Finds the places of all comments, out[c->n]; a comment on all changes is
 * found in row 0. */
void comments_place(const struct comments *c, const char *diff,
		    struct comment_place *out);

#endif
