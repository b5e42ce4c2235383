/* agent_tools.h - what afw-tools knows of the agents' tools and notes. */
#ifndef AFW_COMMANDS_CLI_AGENT_TOOLS_H
#define AFW_COMMANDS_CLI_AGENT_TOOLS_H

#include <cjson/cJSON.h>

#include "base/err.h"

/*
 * Runs `afw-tools WHAT ...`, with the words that are not NULL, for 20 s at most.
 * Returns the objects that it prints, an array, to be deleted; NULL with err,
 * "WHAT: ...".
 */
cJSON *agent_tools_ask(const char *what, const char *verb, const char *with,
		       struct err *err);

#endif
