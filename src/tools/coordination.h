/*
 * coordination.h - passes tools/list and tools/call to another service by HTTP,
 * in place of our tools (coordination in afw.ini). Nothing is stored here.
 * afw-tools(8) describes what is sent.
 */
#ifndef AFW_TOOLS_COORDINATION_H
#define AFW_TOOLS_COORDINATION_H

#include <stdbool.h>

#include <cjson/cJSON.h>

#include "tools/tool.h"

bool coordination_is_set(const struct toolbox *t);

/*
 * Return its results, to be deleted, after at most 30 s. A refused call is a
 * result with isError; NULL with err if the request fails.
 */
cJSON *coordination_list(struct toolbox *t, struct err *err);
cJSON *coordination_call(struct toolbox *t, const char *name, const cJSON *args,
			 struct err *err);

/* Returns the version of libcurl, as it was loaded: "7.88.1". */
const char *coordination_library(void);

#endif
