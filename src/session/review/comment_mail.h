/*
 * comment_mail.h - the text in which the user edits comments, as in a mail:
 * each line of the diff begins with "> ", and a comment is below the line that
 * it is about. Pure.
 *
 * A comment that is not sent yet begins with its number, "[3] ". The user
 * changes its text, or deletes it with the number. Every line that begins with
 * ">" is a quoted line, also if it is not in the diff.
 */
#ifndef AFW_SESSION_REVIEW_COMMENT_MAIL_H
#define AFW_SESSION_REVIEW_COMMENT_MAIL_H

#include "base/buf.h"
#include "session/review/comments.h"

#define COMMENT_MAIL_LINES 20000	     /* of the diff, at most */
#define COMMENT_MAIL_BYTES (4 * 1024 * 1024) /* likewise */

/* Appends the text to edit. */
void comments_print_mail(const struct comments *c, const char *name,
			 const char *diff, struct buf *out);

/*
 * Reads the edited text into read. Quoted lines may be missing: the others are
 * found again. shown: the comments that were printed. A comment in read has the
 * id that the text gives it, or 0. -1 with err if a comment is too long, or
 * there are too many. comments_finish(read) in every case.
 */
int comments_read_mail(const struct comments *shown, const char *diff,
		       const char *text, struct comments *read,
		       struct err *err);

struct comment_changes {
	size_t added, changed, deleted;
};

/*
 * Stores what the user has changed since shown was printed. c is the present
 * list, which another process may have changed meanwhile: its new comments
 * stay, and a comment that both have changed is added as another one. -1 with
 * err: then c must not be saved.
 */
int comments_apply(struct comments *c, const struct comments *shown,
		   const struct comments *read, struct comment_changes *out,
		   struct err *err);

#endif
