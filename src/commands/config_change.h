/* config_change.h - afw config set, unset, edit and check. */
#ifndef AFW_COMMANDS_CONFIG_CHANGE_H
#define AFW_COMMANDS_CONFIG_CHANGE_H

#include "commands/command.h"

int config_change_set(const struct args *args, struct err *err);
int config_change_unset(const struct args *args, struct err *err);
int config_change_edit(const struct args *args, struct err *err);
int config_check_run(const struct args *args, struct err *err);

#endif
