/* bring_up.h - starts a session whose files exist: waits for another one
 * (--after), makes the worktree, starts the agent. */
#ifndef AFW_COMMANDS_LAUNCH_BRING_UP_H
#define AFW_COMMANDS_LAUNCH_BRING_UP_H

#include "commands/launch/provision.h"
#include "commands/launch/supervise.h"
#include "session/session.h"

/*
 * Starts a new session, whose lock n holds. With --after a separate process
 * takes over the lock, waits (after.h) and does the rest; SIGINT ends it. The
 * first task is stored in the session's queue, so that it cannot be lost.
 * Returns 0 once the state says that it waits, or once the agent is running.
 */
int bring_up_new(struct new_session *n, struct err *err);

/* Starts a session that exists and is not running: by supervise_again(), or as
 * for a new one if it must wait. */
int bring_up(const struct session *s, const struct supervise *how,
	     bool *resumed, struct err *err);

/* Returns whether s must wait for another session first: it has no worktree
 * yet. */
bool bring_up_must_wait(const struct session *s);

#endif
