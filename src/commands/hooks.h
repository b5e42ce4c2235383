/* hooks.h - reports the names of hooks that afw does not run. */
#ifndef AFW_COMMANDS_HOOKS_H
#define AFW_COMMANDS_HOOKS_H

#include "base/json.h"

/* Prints the names in "hooks_not_run", if there are any. */
void hooks_print_not_run(const cJSON *o, const char *hint);

#endif
