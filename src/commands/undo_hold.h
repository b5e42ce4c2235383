/* undo_hold.h - keeps a session as it is: idle, or stopped. */
#ifndef AFW_COMMANDS_UNDO_HOLD_H
#define AFW_COMMANDS_UNDO_HOLD_H

#include "base/err.h"
#include "session/session.h"
#include "wire/client.h"

/* If the session is running: a connection; until it is closed, the supervisor
 * types no message. Otherwise the session's lock, so that it does not start. */
struct undo_hold {
	struct client *client; /* or NULL */
	int lock;	       /* or -1 */
};

/* Holds the session, and reads it again: it stays as it was read. */
int undo_hold(struct undo_hold *h, struct session *s, struct err *err);

/* Reads the session again without holding it. */
int undo_look(struct session *s, struct err *err);

/* Interrupts it and waits until it is idle; it may end. A queued message does
 * not follow the interrupt. */
int undo_hold_interrupt(struct undo_hold *h, struct session *s,
			struct err *err);

/* For afw-worktree to keep open, too; -1: none. */
int undo_hold_fd(const struct undo_hold *h);

void undo_hold_finish(struct undo_hold *h);

#endif
