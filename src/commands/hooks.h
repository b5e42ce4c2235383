/* hooks.h - runs the hooks of a commit as git does, but in the sandbox of the
 * agent's commands, and reports the names of hooks that are not run. */
#ifndef AFW_COMMANDS_HOOKS_H
#define AFW_COMMANDS_HOOKS_H

#include <stdbool.h>

#include "base/json.h"
#include "base/mem.h"
#include "session/session.h"

struct hooks {
	const struct session *s;
	struct strv names;  /* the hooks to run */
	const cJSON *found; /* afw-worktree's answer; borrowed */
	const char *dir;    /* the hooks' directory */
	const char *index;  /* made for them; NULL: there are none to run */
	char *git_dir;	    /* the session's, as the host sees it */
	bool editor;	    /* the user's editor asks for the message */
};

/*
 * found: afw-worktree's answer before a commit, borrowed until hooks_finish(),
 * which the caller calls in every case. ERR_NOT_RUNNING if there are hooks and
 * the sandbox cannot run them now.
 */
int hooks_begin(struct hooks *h, const cJSON *found, struct err *err);
void hooks_finish(struct hooks *h);
#define _hooks_ CLEANUP(hooks_finish)

/*
 * Runs the hook of that name, if there is one. Its output is printed on
 * standard error. -1 with err if it fails or has not ended within
 * check_timeout; a signal that ends afw ends the hook too. Blocks.
 */
int hooks_run(const struct hooks *h, const char *name, struct err *err);

/* The same with the message as a file, which the hook may change. source: its
 * second argument (githooks(5)); NULL: none. */
int hooks_run_message(const struct hooks *h, const char *name,
		      const char *source, struct buf *message, struct err *err);

/* Prints the names in "hooks_not_run", if there are any. */
void hooks_print_not_run(const cJSON *o, const char *hint);

#endif
