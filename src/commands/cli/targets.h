/*
 * targets.h - finds the sessions that a command applies to, by name or by
 * option; and checks that an agent is not in a turn, for commands that must not
 * run during one.
 */
#ifndef AFW_COMMANDS_CLI_TARGETS_H
#define AFW_COMMANDS_CLI_TARGETS_H

#include "base/err.h"
#include "session/session.h"

struct args;

/* Calls session_find(). If the session has ended and its supervisor was killed,
 * also removes what is left of its sandbox. Blocks for that. */
int targets_find_one(struct session *s, const char *what, struct err *err);
/* The same with names that were loaded before. */
int targets_find_named(const struct session_names *names, struct session *s,
		       const char *what, struct err *err);

/*
 * Calls fn for each session that args names; without names, for the only
 * session there is (targets_find_one()). A failure does not stop the loop: *err
 * is the last failure, and the earlier ones are printed. Returns -1 if one
 * failed, otherwise what fn returned last.
 */
typedef int targets_fn(struct session *s, const struct args *args,
		       struct err *err);
int targets_each(const struct args *args, targets_fn *fn, struct err *err);

/*
 * Finds the sessions by the options all (the running ones of this repository)
 * and group (the members of the group in this repository), without the session
 * in which the caller runs; ERR_NO_SESSION if there is none. Without these
 * options finds the first n names of args, or with n 0 the only session there
 * is. If one of the names is not found, is ambiguous, or names a session a
 * second time, the list is empty and err is set. The caller calls
 * session_list_finish().
 */
int targets_find(struct session_list *l, const struct args *args, size_t n,
		 struct err *err);

/* Finds the members of the group in this repository likewise. */
int targets_find_group(struct session_list *l, const char *group,
		       struct err *err);

/* Refuses `send a b hello` (ERR_USAGE) if b is also a session: the message may
 * be meant for both. The hint has the command for both and the command for the
 * text. */
int targets_check_text(const struct args *args, struct err *err);

/*
 * Returns 0 if the session's work can be committed or merged now. ERR_REFUSED
 * if it is in a turn, is starting or stopping, or waits for an answer;
 * ERR_FAILED if it has no worktree or cannot be read. what: "merge".
 */
int targets_check_idle(const struct session *s, const char *what,
		       struct err *err);

/* The same, and refuses a session without a worktree that afw made. */
int targets_check_own(const struct session *s, const char *what,
		      struct err *err);

/* Does the same check for the session that has the branch: another session's
 * commits must not appear under an agent in a turn, nor in a sandbox, which
 * would not see them. */
int targets_check_branch(const struct session *s, const char *branch,
			 struct err *err);

/* Returns 0 if the check of afw.ini has passed for the current work; later work
 * invalidates it. ERR_REFUSED otherwise. what: "merge". */
int targets_check_passed(const struct session *s, const char *what,
			 struct err *err);

/* Sets the error that the session, or its agent's turn, has failed. Returns -1.
 */
int targets_err_failed(const struct session *s, const char *what,
		       struct err *err);

/* Adds the hint for a failed check. Returns -1. */
int targets_hint_check(const struct session *s, struct err *err);

#endif
