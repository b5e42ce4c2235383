/* command.h - the user's own commands behind tools: gh, glab, a script. */
#ifndef AFW_TOOLS_COMMAND_H
#define AFW_TOOLS_COMMAND_H

#include "tools/tool.h"

/*
 * Runs the command of that option ("ci_command", an argv in the session's
 * spec) in the repository, without a shell, for 30 s at most. What it prints
 * is appended to out, TOOL_RESULT_MAX bytes at most; last: the end of it.
 *
 * "{query}" in its words becomes the argument query (args may be NULL),
 * "{branch}" the session's branch if that argument is missing. A name that
 * the command has and args have not, or a value that could do more than the
 * name says, is ERR_USAGE. -1 also if it fails, with the last line that it
 * printed as an error.
 */
int command_run(const struct toolbox *t, const char *option, const cJSON *args,
		bool last, struct buf *out, struct err *err);

#endif
