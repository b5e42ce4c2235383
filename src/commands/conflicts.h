/* conflicts.h - conflicts as afw-worktree reports them, as lines. */
#ifndef AFW_COMMANDS_CONFLICTS_H
#define AFW_COMMANDS_CONFLICTS_H

#include <cjson/cJSON.h>

/* Prints "INDENT path: both changed it, lines 4-6", one for each. */
void conflicts_print(const cJSON *conflicts, const char *indent);

#endif
