/* waiter.h - who waits until a session may start after another one. */
#ifndef AFW_COMMANDS_LAUNCH_WAITER_H
#define AFW_COMMANDS_LAUNCH_WAITER_H

#include "commands/launch/provision.h"
#include "session/session.h"

/*
 * For a session whose files are made, and whose lock n holds: from now on a
 * process of its own holds it, waits (after.h), and then makes the worktree
 * and starts the agent; SIGINT ends it. The first task goes into the session's
 * queue, where nothing loses it. 0 once the state says that it waits.
 */
int waiter_begin(struct new_session *n, struct err *err);

/* Whether s has no worktree yet. */
bool waiter_is_due(const struct session *s);

/* The same for one that waited before, and whose waiter is gone. */
int waiter_again(const struct session *s, struct config *config,
		 const struct strv *env, const struct buf *message,
		 struct err *err);

#endif
