/* harness_choice.h - which harness a new session gets. */
#ifndef AFW_COMMANDS_HARNESS_CHOICE_H
#define AFW_COMMANDS_HARNESS_CHOICE_H

#include "base/err.h"
#include "config/config.h"
#include "session/spec.h"

struct args;

/*
 * From -a, from `-- COMMAND` without -a (the generic harness), or from the
 * configuration (the first that is installed, where that says nothing and the
 * default is not; warns of it): fills harness, command and harness_config of s, and makes
 * sure that the program is installed.
 */
int harness_choose(const struct args *args, const struct config *config,
		   struct spec *s, struct err *err);

#endif
