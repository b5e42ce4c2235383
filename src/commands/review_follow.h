/* review_follow.h - updates the states of comments that were sent. */
#ifndef AFW_COMMANDS_REVIEW_FOLLOW_H
#define AFW_COMMANDS_REVIEW_FOLLOW_H

#include "session/review/comments.h"
#include "session/session.h"

/*
 * Reads the session's history. A comment becomes unsent again if its message
 * was not delivered, and answered if its message began a turn that has ended.
 * Returns whether a comment has changed. Blocks while it reads, and for
 * afw-worktree if a turn has answered.
 */
bool review_follow(const struct session *s, struct comments *c);

#endif
