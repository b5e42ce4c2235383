/* supervise.h - starts a session's supervisor and its harness. */
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
	/* set: end the start; or NULL */
	const volatile sig_atomic_t *interrupted;
	const struct strv *notes; /* features that it lacks; or NULL */
	const char *fork;	  /* the conversation that it copies; or NULL */
	bool resume;		  /* continue the conversation */
	bool if_any;		  /* resume only if there is one */
	bool first;		  /* remove the session if the start fails */
	bool over_budget;	  /* allow more than its budget */
	bool fresh;		  /* start from scratch if it cannot continue */
};

/*
 * Starts afw-supervisor for session_dir; it takes over the lock (lock_fd is
 * closed in any case). This process's environment and the given variables are
 * sent over the socket. Blocks until the harness is running or its start has
 * failed: -1 with the actual reason. Warns of limits that the sandbox cannot
 * enforce. *resumed: the harness has continued its conversation.
 */
int supervise_start(const char *session_dir, int lock_fd,
		    const struct supervise *how, bool *resumed,
		    struct err *err);

/* Refuses what can be refused before anything is changed. */
int supervise_check(const struct session *s, struct err *err);

/* Takes and returns the session's lock, if the limit of sessions allows one
 * more and nothing of its last run is left; otherwise -1. */
int supervise_lock(const struct session *s, const struct config *config,
		   struct err *err);

/*
 * Starts a session that exists and is not running: takes the lock, sets its
 * phase, starts it. Updates the spec with the harness's section and the
 * timeouts of the configuration. ERR_CONFLICT if it is running.
 */
int supervise_again(const struct session *s, const struct supervise *how,
		    bool *resumed, struct err *err);

#endif
