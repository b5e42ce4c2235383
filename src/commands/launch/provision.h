/* provision.h - makes what `afw new` needs, in a safe order, and rolls it back
 * on a failure. */
#ifndef AFW_COMMANDS_LAUNCH_PROVISION_H
#define AFW_COMMANDS_LAUNCH_PROVISION_H

#include <signal.h>

#include "base/err.h"
#include "base/mem.h"
#include "commands/launch/plan.h"
#include "config/filetree.h"
#include "session/session.h"

/* A new session that is being made. `afw new` has checked its input. */
struct new_session {
	struct plan plan;
	const struct plan *read; /* by plan_read(); borrowed */
	/* of several that are made together: the commit to start from; NULL:
	 * not yet, the base's; borrowed */
	const char *commit;
	char *fresh; /* the same, of a remote's newer branch (fresh_base.h) */
	struct spec spec;
	/* --from: the session whose state it gets, dir NULL: none; and which
	 * checkpoint, 0: one that is still to be taken */
	struct session from;
	int64_t checkpoint;
	/* whether its first message says what that session did */
	enum { BRIEF_UNKNOWN, BRIEF_NO, BRIEF_YES } brief;
	struct filetree home;	   /* the template's */
	struct strv hooks_not_run; /* names of hooks */
	char *repository;	   /* of the current directory; NULL: none */
	char *dir;
	int lock_fd;
	int names_fd; /* limit_lock(), until the name is reserved */
	bool made_dir, made_worktree;
	bool shows_progress; /* an unfinished line is on the terminal */
	cJSON *took;	     /* ms of each step of its worktree; or NULL */
	int64_t made_ms;     /* how long it took until it was running */
	/* set by a signal: roll back */
	const volatile sig_atomic_t *interrupted;
	bool first; /* the repository has no other session */
};

/*
 * Makes the session's files, its worktree and branch, and starts its supervisor
 * and harness; with --after only the files and the process that waits
 * (bring_up.h). On any failure, and on SIGINT, SIGTERM or SIGHUP, everything is
 * rolled back, or err's hint says what is left. Blocks.
 */
int provision_make(struct new_session *n, struct err *err);

#endif
