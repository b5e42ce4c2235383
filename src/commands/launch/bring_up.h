/*
 * bring_up.h - does what is due for a session whose files are there: waits for
 * another one (--after), makes the worktree, starts the agent.
 */
#ifndef AFW_COMMANDS_LAUNCH_BRING_UP_H
#define AFW_COMMANDS_LAUNCH_BRING_UP_H

#include "commands/launch/provision.h"
#include "commands/launch/supervise.h"
#include "session/session.h"

/*
 * For a new session, whose lock n holds. With --after a process of its own
 * holds that from now on, waits (after.h) and does the rest; SIGINT ends it.
 * The first task goes into the session's queue, where nothing loses it. Returns
 * 0 once the state says that it waits, or the agent runs.
 */
int bring_up_new(struct new_session *n, struct err *err);

/* For a session that exists and is not alive: supervise_again(), or as before
 * if it must wait. */
int bring_up(const struct session *s, const struct supervise *how,
	     bool *resumed, struct err *err);

/* Whether s waits for another one first: it has no worktree yet. */
bool bring_up_must_wait(const struct session *s);

#endif
