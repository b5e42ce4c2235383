/* recount.h - updates the counts of a worktree that a command has changed. */
#ifndef AFW_COMMANDS_RECOUNT_H
#define AFW_COMMANDS_RECOUNT_H

#include "session/session.h"

/* Counts the changes in the worktree of a session that is not running, and
 * saves the counts in its state. For a running session its supervisor does
 * so. counted: an answer of afw-worktree that has the counts, or may have; or
 * NULL. */
void recount(const struct session *s, const cJSON *counted);

/* Counts the changes in the worktree of any session, for s only: nothing is
 * saved. If they cannot be counted, s keeps the counts of its state. */
void recount_read(struct session *s);

/* Returns the number of files with uncommitted changes; -1: they cannot be
 * counted. */
int64_t recount_uncommitted(const struct session *s);

/*
 * Does the same for the sessions of l that are not running, have unmerged
 * commits, and whose base has moved since they were counted: the user may have
 * merged them with git. Reads their state again. Starts no counting after the
 * first second: the next call counts the others.
 */
void recount_moved(struct session_list *l);

#endif
