/*
 * exec_shell.h - commands that run in a session's sandbox by a name, in the
 * background: afw exec -n.
 */
#ifndef AFW_COMMANDS_EXEC_SHELL_H
#define AFW_COMMANDS_EXEC_SHELL_H

#include "base/mem.h"
#include "commands/command.h"
#include "session/session.h"

/* Starts it, prints what it has printed, or ends it, by the options. */
int shell_exec(struct session *s, const struct args *args, struct err *err);

/* Whether that service or shell has ended, and stays so. */
bool shell_has_ended(const struct session *s, const char *name);

#endif
