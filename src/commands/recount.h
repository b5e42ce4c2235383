/* recount.h - the counts of a worktree that a command has changed. */
#ifndef AFW_COMMANDS_RECOUNT_H
#define AFW_COMMANDS_RECOUNT_H

#include "session/session.h"

/* Counts the changes in the worktree of a session that is not running, and
 * saves the counts in its state. Of a running one the supervisor does. */
void recount(const struct session *s);

/* Counts the files that are in no commit now; -1: they cannot be counted. */
int64_t recount_uncommitted(const struct session *s);

/*
 * The same for those of l that are not running, have commits that were not
 * merged, and whose base has moved since they were counted: somebody may have
 * merged them with git. Reads their state again. Begins no count once a second
 * has passed: the next call counts the others.
 */
void recount_moved(struct session_list *l);

#endif
