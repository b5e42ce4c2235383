/*
 * provision.h - what `afw new` makes, in the order that makes it safe, and
 * how it is taken back.
 */
#ifndef AFW_COMMANDS_LAUNCH_PROVISION_H
#define AFW_COMMANDS_LAUNCH_PROVISION_H

#include <signal.h>

#include "base/err.h"
#include "base/mem.h"
#include "commands/launch/plan.h"
#include "config/filetree.h"
#include "session/spec.h"

/* A new session on its way. What was checked comes from `afw new`. */
struct new_session {
	struct plan plan;
	struct spec spec;
	struct filetree home;	   /* of its template */
	struct strv hooks_not_run; /* names */
	char *repository;	   /* where we stand; NULL: in none */
	char *dir;
	int lock_fd;
	int names_fd; /* limit_lock(), until the name is taken */
	bool made_dir, made_worktree;
	bool shows_progress; /* a line without its end stands there */
	const volatile sig_atomic_t *interrupted; /* ends what is under way */
	bool first; /* the repository has no other session */
};

/*
 * Makes the session's files, its worktree and branch, and starts its
 * supervisor and harness; with --after the files alone, and who waits for the
 * rest (bring_up.h). On any failure, and on SIGINT, SIGTERM or SIGHUP,
 * everything is taken back, or err's hint says what is left. Blocks.
 */
int provision_make(struct new_session *n, struct err *err);

#endif
