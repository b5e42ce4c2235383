/* pr.h - opens a pull request for another command. */
#ifndef AFW_COMMANDS_PR_H
#define AFW_COMMANDS_PR_H

#include "base/buf.h"
#include "base/err.h"
#include "session/session.h"

/* Pushes the commit as a new branch, and runs pr_command for it, in the
 * repository of the session. Appends to said what that prints, unsafe to
 * print. */
int pr_open_commit(const struct session *of, const char *commit,
		   const char *branch, const char *base, const char *title,
		   struct buf *said, struct err *err);

#endif
