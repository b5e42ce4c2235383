/* config_check.h - afw config check: all files that count here. */
#ifndef AFW_COMMANDS_CONFIG_CHECK_H
#define AFW_COMMANDS_CONFIG_CHECK_H

#include "commands/command.h"

/* Prints what is wrong with each, or that it is sound. */
int config_check_run(const struct args *args, struct err *err);

#endif
