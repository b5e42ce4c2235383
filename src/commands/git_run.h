/* git_run.h - runs a git that has no terminal, and prints its output made
 * safe. */
#ifndef AFW_COMMANDS_GIT_RUN_H
#define AFW_COMMANDS_GIT_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/spawn.h"

struct git_run {
	bool contained; /* what it leaves running is ended from inside its
			   container */
	bool edits;	/* GIT_EDITOR is GIT_RUN_EDITOR */
	/* The result. */
	int status;	/* as from waitpid(2) */
	char last[200]; /* last line of its output */
};

/* The editor of a git that cannot run the user's: passes the message to us,
 * with a NUL at its end, and gets what is to be the message. */
#define GIT_RUN_EDITOR "f() { cat \"$1\" && printf '\\000' && cat >\"$1\"; }; f"

/*
 * Runs git, or a command that runs it in a sandbox, in a session (setsid) of
 * its own; sp->fd[0] is its input, unless it edits: then git_run() answers its
 * editor, by the user's editor on our terminal. Its output goes to standard
 * error: at most 256 KiB, without control characters. -1 with err if it could
 * not be started, if it timed out (the editor's time is not counted), if a
 * message could not be edited, or if a signal arrived that ends afw; in the
 * last three cases ends it. Ends all its descendants. Blocks.
 */
int git_run(struct git_run *r, struct spawn *sp, int64_t timeout_ms,
	    struct err *err);

#endif
