/* comment_message.h - all comments that are to be sent, as one message. Pure.
 */
#ifndef AFW_SESSION_REVIEW_COMMENT_MESSAGE_H
#define AFW_SESSION_REVIEW_COMMENT_MESSAGE_H

#include "base/buf.h"
#include "session/review/comments.h"

/* Appends the message: each comment with its file, line and lines as they are
 * quoted; diff: all changes now, which says what is stale. Nothing if there is
 * none. */
void comments_message(const struct comments *c, const char *diff,
		      struct buf *out);

#endif
