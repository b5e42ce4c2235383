/* session_command.h - a command in a session beside its agent: its environment
 * and its sandbox. `afw exec` and git's hooks use it. */
#ifndef AFW_COMMANDS_LAUNCH_SESSION_COMMAND_H
#define AFW_COMMANDS_LAUNCH_SESSION_COMMAND_H

#include "base/mem.h"
#include "session/session.h"

/* Appends the environment of a command in the session. */
void session_command_env(const struct session *s, struct strv *env);

/*
 * Changes argv and env to run the same command in the session's sandbox. read
 * (may be NULL): further paths that it may read there, if the sandbox can still
 * allow that. at_top: it starts in the worktree, not in its subdir. *fd must be
 * -1; it may be set to a descriptor that the command must inherit as SANDBOX_FD
 * and that the caller closes.
 */
int session_command_enter(const struct session *s, const struct strv *read,
			  bool at_top, struct strv *argv, struct strv *env,
			  int *fd, struct err *err);

#endif
