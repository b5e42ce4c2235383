/*
 * send_always.h - afw send --always: adds a rule to the user's afw.ini that
 * allows what an agent asks, now and later (approve_rule.h).
 */
#ifndef AFW_COMMANDS_SEND_ALWAYS_H
#define AFW_COMMANDS_SEND_ALWAYS_H

#include "base/err.h"

struct args;

/*
 * Prints the narrowest rule that allows what the named session asks, and which
 * of the last approvals the rule would have answered. Unless args has dry-run,
 * asks the user, adds the rule and gives it to all running sessions, where it
 * also answers the present question. Returns the exit code.
 */
int send_always(const struct args *args, struct err *err);

#endif
