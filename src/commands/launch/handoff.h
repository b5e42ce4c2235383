/* handoff.h - the first message of a session that continues another's work. */
#ifndef AFW_COMMANDS_LAUNCH_HANDOFF_H
#define AFW_COMMANDS_LAUNCH_HANDOFF_H

#include "commands/launch/provision.h"

/* Asks on a terminal whether --brief is meant, if neither it nor --no-brief
 * says so. */
void handoff_choose(struct new_session *n);

/*
 * Puts a summary of n->from's work before the first task, if that was chosen:
 * what it was asked, what it did, and how it ended; at most HANDOFF_MAX bytes.
 * The worktree exists. Runs afw-worktree.
 */
#define HANDOFF_MAX 4096
int handoff_add(struct new_session *n, struct err *err);

#endif
