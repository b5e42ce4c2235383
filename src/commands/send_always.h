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
 * of the last approvals it would have answered; unless args has dry-run, asks,
 * adds it and gives it to all running sessions: it answers the question at
 * once. Returns the exit code.
 */
int send_always(const struct args *args, struct err *err);

#endif
