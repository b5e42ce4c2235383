/*
 * hooks.h - runs the hooks of a commit as git does, but in the sandbox of the
 * agent's commands, and names the hooks that are not run.
 */
#ifndef AFW_COMMANDS_HOOKS_H
#define AFW_COMMANDS_HOOKS_H

#include <stdbool.h>

#include "base/json.h"
#include "base/mem.h"
#include "session/session.h"

struct hooks {
	const struct session *s;
	struct strv names;   /* those to run */
	const cJSON *found;  /* afw-worktree's answer */
	const char *dir;     /* that they are in */
	const char *index;   /* made for them; NULL: there is none to run */
	char *git_dir;	     /* of the session, as it is here */
	bool editor;	     /* the user's editor asks for the message */
};

/*
 * found: afw-worktree's answer before a commit, which is kept until
 * hooks_finish(), to be called in every case. ERR_NOT_RUNNING if there are
 * hooks, and the sandbox cannot run them now.
 */
int hooks_begin(struct hooks *h, const cJSON *found, struct err *err);
void hooks_finish(struct hooks *h);
#define _hooks_ CLEANUP(hooks_finish)

/*
 * Runs the hook of that name, if there is one. Its output is printed on
 * standard error. -1 with err if it refuses, or is not done within
 * check_timeout; a signal that ends afw ends it, too.
 */
int hooks_run(const struct hooks *h, const char *name, struct err *err);

/* The same with the message as a file, which the hook may change. source: its
 * second argument (githooks(5)); NULL: none. */
int hooks_run_message(const struct hooks *h, const char *name,
		      const char *source, struct buf *message, struct err *err);

/* Prints the names in "hooks_not_run", if there are any. */
void hooks_print_not_run(const cJSON *o, const char *hint);

#endif
