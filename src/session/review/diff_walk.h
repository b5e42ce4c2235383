/* diff_walk.h - goes through a diff in git's form, line by line. Pure. */
#ifndef AFW_SESSION_REVIEW_DIFF_WALK_H
#define AFW_SESSION_REVIEW_DIFF_WALK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* Begins with {.next = diff}. Rows of comments (comment_weave.h) are not lines
 * of a file: they do not change the numbers. */
struct diff_walk {
	const char *next; /* where to continue */
	const char *line; /* the current one; ends at a newline or NUL */
	size_t len;
	size_t row;	 /* its number, from 0 */
	struct buf name; /* the file's, after the change; len 0: none yet */
	bool deleted;	 /* the file is */
	bool starts;	 /* the line is a file's first one */
	/* body: the line is in a hunk. Then its number in the file after and
	 * before the change; an added or removed line is in only one of them,
	 * and has the number of the next line in the other. A line outside a
	 * hunk has the numbers of the next line in a hunk, or 0. */
	bool body;
	size_t new_line, old_line;

	size_t rows, next_new, next_old; /* internal */
	bool in_hunk;
};

/* Goes to the next line; returns false at the end. */
bool diff_walk_next(struct diff_walk *w);
void diff_walk_finish(struct diff_walk *w);
#define _diff_walk_ CLEANUP(diff_walk_finish)

#endif
