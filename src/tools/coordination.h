/*
 * coordination.h - another service's tools in place of ours (coordination in
 * afw.ini): tools/list and tools/call go there, by HTTP, and nothing is kept
 * here. See afw-tools(8) for what is sent.
 */
#ifndef AFW_TOOLS_COORDINATION_H
#define AFW_TOOLS_COORDINATION_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "tools/tool.h"

bool coordination_is_set(const struct toolbox *t);

/*
 * Its own results, to be deleted, 30 s at most. What it refuses of a call is a
 * result with isError; NULL with err if it cannot be asked.
 */
cJSON *coordination_list(struct toolbox *t, struct err *err);
cJSON *coordination_call(struct toolbox *t, const char *name, const cJSON *args,
			 struct err *err);

#endif
