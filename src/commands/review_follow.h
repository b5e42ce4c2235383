/* review_follow.h - what became of comments that were sent. */
#ifndef AFW_COMMANDS_REVIEW_FOLLOW_H
#define AFW_COMMANDS_REVIEW_FOLLOW_H

#include "session/review/comments.h"
#include "session/session.h"

/*
 * Reads the session's history: a comment whose message was not delivered is to
 * be sent again; one whose message began a turn that has ended is answered by
 * it. Returns whether one has changed. Blocks while it reads, and for
 * afw-worktree if a turn has answered.
 */
bool review_follow(const struct session *s, struct comments *c);

#endif
