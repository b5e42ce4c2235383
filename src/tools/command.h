/* command.h - the user's own commands behind tools: gh, glab, a script. */
#ifndef AFW_TOOLS_COMMAND_H
#define AFW_TOOLS_COMMAND_H

#include "tools/tool.h"

/*
 * Runs the command of that name ("issues", an argv in the session's spec) in
 * the repository, without a shell, for 30 s at most; what it prints goes to
 * out. "{query}" in its words becomes query, "{branch}" the session's branch.
 * -1 if it fails, with the last line that it printed as an error.
 */
int command_run(const struct toolbox *t, const char *name, const char *query,
		struct buf *out, struct err *err);

#endif
