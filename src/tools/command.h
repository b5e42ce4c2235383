/* command.h - runs the user's own commands for tools: gh, glab, a script. */
#ifndef AFW_TOOLS_COMMAND_H
#define AFW_TOOLS_COMMAND_H

#include "tools/tool.h"

/*
 * Runs the command of that option ("ci_command", an argv in the session's spec)
 * in the repository, without a shell, for 30 s at most. Appends its output to
 * out, at most TOOL_RESULT_MAX bytes; last: the end of it.
 *
 * "{query}" in its words becomes the argument query (args may be NULL),
 * "{branch}" the session's branch if that argument is missing. ERR_USAGE if
 * args lack a name of the command, or for a value that could do more than the
 * name allows. -1 also if it fails, with the last line of its errors.
 */
int command_run(const struct toolbox *t, const char *option, const cJSON *args,
		bool last, struct buf *out, struct err *err);

#endif
