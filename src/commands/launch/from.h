/* from.h - the session from whose state a new one begins (afw new --from). */
#ifndef AFW_COMMANDS_LAUNCH_FROM_H
#define AFW_COMMANDS_LAUNCH_FROM_H

#include "commands/launch/provision.h"
#include "wire/worktree_request.h"

/*
 * Reads --from NAME or NAME@NUMBER into n->from and, unless several sessions
 * share it and it is set already, n->checkpoint; does nothing without the
 * option. Refuses a session that does not exist, is of another repository, or
 * has no worktree.
 */
int from_choose(struct new_session *n, struct err *err);

/* With --fork: makes that session's harness the default, and then refuses what
 * cannot copy its conversation. */
int from_choose_harness(struct new_session *n, struct err *err);
int from_check_fork(const struct new_session *n, struct err *err);

/* Takes a checkpoint of that session, unless n->checkpoint is set. Runs
 * afw-worktree. */
int from_take(struct new_session *n, struct err *err);

/* That worktree and its checkpoint, for the request; borrowed from n. */
struct create_from from_place(const struct new_session *n);

#endif
