/*
 * targets.h - the sessions that a command is for: by name, or many; and whether
 * the agent of one is in a turn, for what must not happen in the middle of it.
 */
#ifndef AFW_COMMANDS_CLI_TARGETS_H
#define AFW_COMMANDS_CLI_TARGETS_H

#include "base/err.h"
#include "session/session.h"

struct args;

/* session_find(), and what a supervisor that was killed left of the session's
 * sandbox is removed, if that has ended. Blocks for that. */
int targets_find_one(struct session *s, const char *what, struct err *err);

/*
 * Finds each session that args name, or where they name none the only one
 * (targets_find_one()), and calls fn for it. One that fails does not keep it
 * from the others: *err is the last failure, those before it are printed.
 * Returns -1 then, else what fn last returned.
 */
typedef int targets_fn(struct session *s, const struct args *args,
		       struct err *err);
int targets_each(const struct args *args, targets_fn *fn, struct err *err);

/*
 * By the options all (those of this repository that run) and group (those of
 * this repository that are in it), without the one that the caller itself runs
 * in: ERR_NO_SESSION where there is none. Else the first n names of args, with
 * n 0 the only one that there is; none of them is left out: where one
 * is not there, is ambiguous, or names a session for the second time, the list
 * is empty and err says so. To be finished with session_list_finish().
 */
int targets_find(struct session_list *l, const struct args *args, size_t n,
		 struct err *err);

/* Refuses (ERR_USAGE) `send a b hello` if b is a session, too: it may be meant
 * for both. The hint has the command for both and the one for the text. */
int targets_check_text(const struct args *args, struct err *err);

/*
 * Whether the session's work can be committed or merged: 0. ERR_REFUSED where
 * it is in a turn, starts or stops, or waits for an answer in the middle;
 * ERR_FAILED where it has no worktree or cannot be read. what: "merge".
 */
int targets_check_idle(const struct session *s, const char *what,
		       struct err *err);

/* The same of who else has the branch: another's commits are not to appear
 * under an agent that works, nor in a sandbox, which would not see them. */
int targets_check_branch(const struct session *s, const char *branch,
			 struct err *err);

#endif
