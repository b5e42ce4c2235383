/*
 * provision.h - what `afw new` makes, in the order that makes it safe, and
 * how it is taken back.
 */
#ifndef AFW_COMMANDS_LAUNCH_PROVISION_H
#define AFW_COMMANDS_LAUNCH_PROVISION_H

#include <signal.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "commands/command.h"
#include "config/config.h"
#include "config/filetree.h"
#include "config/template.h"
#include "session/spec.h"

/* A new session on its way. What was checked comes from `afw new`. */
struct new_session {
	const struct args *args;
	struct config *config;
	struct spec spec;
	struct expand_values values;   /* where spec has a template; borrowed */
	struct filetree home;	       /* of its template */
	struct strv env;
	struct buf message;
	struct strv hooks_not_run; /* names */
	char *repository; /* where we stand; NULL: in none */
	char *dir;
	int lock_fd;
	int names_fd; /* limit_lock(), until the name is taken */
	bool made_dir, made_worktree;
	bool shows_progress; /* a line without its end stands there */
	const volatile sig_atomic_t *interrupted; /* ends what is under way */
	bool first;	     /* the repository has no other session */
};

/*
 * Makes the session's files, its worktree and branch, and starts its
 * supervisor and harness; with --after the files alone, and who waits for the
 * rest (waiter.h). On any failure, and on SIGINT, SIGTERM or SIGHUP,
 * everything is taken back, or err's hint says what is left. Blocks.
 */
int provision_make(struct new_session *n, struct err *err);

#endif
