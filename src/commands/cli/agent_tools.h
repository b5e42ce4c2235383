/* agent_tools.h - what afw-tools has stored of the agents' tools and notes. */
#ifndef AFW_COMMANDS_CLI_AGENT_TOOLS_H
#define AFW_COMMANDS_CLI_AGENT_TOOLS_H

#include <cjson/cJSON.h>

#include "base/err.h"

/*
 * Runs `afw-tools WHAT ...` with the words that are not NULL, for at most 20 s.
 * Returns an array of the objects that it prints, for the caller to delete;
 * NULL with err, "WHAT: ...". Blocks.
 */
cJSON *agent_tools_run(const char *what, const char *verb, const char *with,
		       struct err *err);

#endif
