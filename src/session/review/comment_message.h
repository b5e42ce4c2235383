/* comment_message.h - writes all unsent comments as one message. Pure. */
#ifndef AFW_SESSION_REVIEW_COMMENT_MESSAGE_H
#define AFW_SESSION_REVIEW_COMMENT_MESSAGE_H

#include "base/buf.h"
#include "session/review/comments.h"

/* Appends the message: each comment with its file, its line and its quoted
 * lines, or nothing if no comment is unsent. diff: all changes now, by which
 * comments are found to be stale. */
void comments_message(const struct comments *c, const char *diff,
		      struct buf *out);

#endif
