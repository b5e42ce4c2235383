/*
 * bridge.h - the supervisor's end of a bridge (wire/bridge.h): starts it,
 * starts it again where it dies, a few times; hears it, gives it messages.
 */
#ifndef AFW_SUPERVISOR_BRIDGE_H
#define AFW_SUPERVISOR_BRIDGE_H

#include "supervisor/supervisor.h"

/*
 * The harness runs (sv->pid) and may be talked to by program, with options
 * (taken: they may hold a password). Blocks until exec has happened or
 * failed; that it failed is said in sv->state.degraded.
 */
struct bridge *bridge_create(struct supervisor *sv, const char *program,
			     cJSON *options);
void bridge_destroy(struct bridge *b); /* ends it at once; NULL */

/* Its process, or 0: it is ours, not the harness's. NULL: 0. */
pid_t bridge_pid(const struct bridge *b);

/* True where pid was that process. */
bool bridge_reaped(struct bridge *b, pid_t pid);

/* The sender's ops. */
bool bridge_state(const struct bridge *b, struct sender_bridge *out);
/* Ends the turn; where that cannot be had, keys are pressed a little later.
 * False: nothing was begun. */
bool bridge_interrupt(struct bridge *b);
int bridge_post(struct bridge *b, int64_t id, const char *text,
		const char *mode, struct err *err);

#endif
