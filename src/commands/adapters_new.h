/* adapters_new.h - afw adapters new: a section for an agent that its user
 * shows. */
#ifndef AFW_COMMANDS_ADAPTERS_NEW_H
#define AFW_COMMANDS_ADAPTERS_NEW_H

#include "base/err.h"

struct args;

/* Runs the verb. Blocks as long as the user takes. */
int adapters_new(const struct args *args, struct err *err);

#endif
