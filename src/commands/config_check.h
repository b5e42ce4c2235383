/* config_check.h - afw config check: checks all files that apply here. */
#ifndef AFW_COMMANDS_CONFIG_CHECK_H
#define AFW_COMMANDS_CONFIG_CHECK_H

#include "commands/command.h"

/* Prints the mistakes in each file, or that it has none. */
int config_check_run(const struct args *args, struct err *err);

#endif
