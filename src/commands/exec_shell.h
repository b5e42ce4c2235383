/* exec_shell.h - named commands that run in a session's sandbox in the
 * background: afw exec -n. */
#ifndef AFW_COMMANDS_EXEC_SHELL_H
#define AFW_COMMANDS_EXEC_SHELL_H

#include "base/mem.h"
#include "commands/command.h"
#include "session/session.h"

/* Starts it, prints its output, or stops it, depending on the options. */
int shell_exec(struct session *s, const struct args *args, struct err *err);

/* Returns whether that service or shell has ended and will not be restarted. */
bool shell_has_ended(const struct session *s, const char *name);

#endif
