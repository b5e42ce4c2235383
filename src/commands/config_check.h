/* config_check.h - afw config check: checks all files that apply here. */
#ifndef AFW_COMMANDS_CONFIG_CHECK_H
#define AFW_COMMANDS_CONFIG_CHECK_H

#include "commands/command.h"
#include "config/config.h"

/* Prints the mistakes in each file, or that it has none. */
int config_check_run(const struct args *args, struct err *err);

typedef void config_mistake_fn(void *ctx, const char *what,
			       const struct err *why);

/* Calls fn for what is missing in sections, or is not possible together. */
void config_check_sections(const struct config *c, config_mistake_fn *fn,
			   void *ctx);

#endif
