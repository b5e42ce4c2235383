/* git_program.h - runs git for what it reads of a repository. */
#ifndef AFW_BASE_GIT_PROGRAM_H
#define AFW_BASE_GIT_PROGRAM_H

#include "base/buf.h"
#include "base/err.h"

/*
 * Runs "git ARGS" (NULL ends) on a git directory and appends its output to
 * out. NULL: on no repository, so that only the configuration of the system
 * and of the user applies. Only for git var, git config, git
 * for-each-ref and git rev-list: they read configuration, references and
 * commits, and run no hook, filter, pager or fsmonitor. No file of a
 * worktree is read. On failure err has the last line of git's message. Exit
 * code 1 (git config found nothing) is a success.
 */
int git_program_read(const char *git_dir, const char *const *args,
		     struct buf *out, struct err *err);

/* First of args for any other command of git, which then runs no hook and no
 * fsmonitor, and fetches nothing. Only for one that runs no filter either. */
#define GIT_PROGRAM_CONFINED                                                   \
	"-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c",  \
	    "protocol.allow=never"

/* Rewrites index, a copy of a sparse index, with an entry for each file. */
int git_program_expand_index(const char *git_dir, const char *index,
			     struct err *err);

/* Returns what "git var NAME" prints without a repository: GIT_EDITOR or
 * GIT_PAGER. To be freed; NULL with err. */
char *git_program_var(const char *name, struct err *err);

/* Returns a value of the configuration; type as "--type=path". To be freed;
 * NULL if it is empty, not set, or cannot be read. */
char *git_program_config(const char *git_dir, const char *type,
			 const char *key);

#endif
