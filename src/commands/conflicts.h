/* conflicts.h - prints conflicts that afw-worktree reports. */
#ifndef AFW_COMMANDS_CONFLICTS_H
#define AFW_COMMANDS_CONFLICTS_H

#include <cjson/cJSON.h>

/* Prints a line "INDENT path: both changed it, lines 4-6" for each conflict. */
void conflicts_print(const cJSON *conflicts, const char *indent);

#endif
