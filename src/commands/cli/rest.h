/* rest.h - refuses a commit or merge while the session's agent is in a turn. */
#ifndef AFW_COMMANDS_CLI_REST_H
#define AFW_COMMANDS_CLI_REST_H

#include "base/err.h"
#include "session/session.h"

/*
 * Whether the session's work can be committed or merged: 0. ERR_REFUSED where
 * it is in a turn, starts or stops, or waits for an answer in the middle;
 * ERR_FAILED where it has no worktree or cannot be read. what: "merge".
 */
int rest_check(const struct session *s, const char *what, struct err *err);

/* The same of who else has the branch: another's commits are not to appear
 * under an agent that works, nor in a sandbox, which would not see them. */
int rest_check_branch(const struct session *s, const char *branch,
		      struct err *err);

#endif
