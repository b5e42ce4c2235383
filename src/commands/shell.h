/*
 * shell.h - commands that run in a session's sandbox by a name, in the
 * background: afw exec -n.
 */
#ifndef AFW_COMMANDS_SHELL_H
#define AFW_COMMANDS_SHELL_H

#include "base/mem.h"
#include "commands/command.h"
#include "session/session.h"

/* Starts it, prints what it has printed, or ends it, by the options. */
int shell_exec(struct session *s, const struct args *args, struct err *err);

/* Whether that service or shell has ended, and stays so. */
bool shell_has_ended(const struct session *s, const char *name);

/* exec.c: the environment of a command in the session; appended. */
void exec_env(const struct session *s, struct strv *env);

/*
 * exec.c: argv and env become those of the same command in the session's
 * sandbox. read (may be NULL): further paths that it may read there, if the
 * sandbox can still allow that. *fd (-1 before) is to be its SANDBOX_FD, and
 * to be closed.
 */
int exec_prepare(const struct session *s, const struct strv *read,
		 struct strv *argv, struct strv *env, int *fd, struct err *err);

#endif
