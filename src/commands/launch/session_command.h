/*
 * session_command.h - a command beside a session's agent: its environment, and
 * how it enters the sandbox. `afw exec`, and git's hooks.
 */
#ifndef AFW_COMMANDS_LAUNCH_SESSION_COMMAND_H
#define AFW_COMMANDS_LAUNCH_SESSION_COMMAND_H

#include "base/mem.h"
#include "session/session.h"

/* Appends the environment of a command in the session. */
void session_command_env(const struct session *s, struct strv *env);

/*
 * argv and env become those of the same command in the session's sandbox. read
 * (may be NULL): further paths that it may read there, if the sandbox can still
 * allow that. *fd (-1 before) is to be its SANDBOX_FD, and to be closed.
 */
int session_command_enter(const struct session *s, const struct strv *read,
			  struct strv *argv, struct strv *env, int *fd,
			  struct err *err);

#endif
