/* supervise.h - starts a session's supervisor, and the harness in it. */
#ifndef AFW_COMMANDS_LAUNCH_SUPERVISE_H
#define AFW_COMMANDS_LAUNCH_SUPERVISE_H

#include <signal.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/mem.h"
#include "commands/launch/plan.h"
#include "session/session.h"

struct supervise {
	const struct plan *plan; /* configuration and variables */
	const char *message;	 /* the task, or NULL */
	const volatile sig_atomic_t *interrupted; /* ends the start; or NULL */
	const struct strv *notes; /* what it lacks, for degraded; or NULL */
	bool resume;		  /* continue the conversation */
	bool if_any;		  /* if there is one to continue */
	bool first;		  /* if it fails, the session is removed */
	bool fresh;		  /* start afresh if it cannot be continued */
};

/*
 * Starts afw-supervisor for session_dir; it takes over the lock (lock_fd is
 * closed in any case). The environment of this process with those given goes
 * over the socket. Blocks until the harness runs or has failed to: -1 with the
 * real reason. Warns of what the sandbox cannot hold. *resumed: it goes on
 * with its conversation.
 */
int supervise_start(const char *session_dir, int lock_fd,
		    const struct supervise *how, bool *resumed,
		    struct err *err);

/* What of a start can be refused before anything is changed. */
int supervise_check(const struct session *s, struct err *err);

/* The session's lock, when there is room for one more and nothing is left of
 * its last life; or -1. */
int supervise_lock(const struct session *s, const struct config *config,
		   struct err *err);

/*
 * The same for a session that exists and is not alive: takes the lock, moves
 * its phase, starts. The harness's section and the timeouts of the
 * configuration go into the spec. ERR_CONFLICT if it is alive.
 */
int supervise_again(const struct session *s, const struct supervise *how,
		    bool *resumed, struct err *err);

#endif
