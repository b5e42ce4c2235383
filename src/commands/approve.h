/* approve.h - afw send --approve and --deny: answers to approvals. */
#ifndef AFW_COMMANDS_APPROVE_H
#define AFW_COMMANDS_APPROVE_H

#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct args;

/* Answers the approval that is up in each session of l (options "question",
 * "timeout", "json"), and prints the receipts. Returns the exit code; -1 where
 * the options are wrong. */
int approve_all(const struct session_list *l, const struct args *args,
		bool approve, struct err *err);

#endif
