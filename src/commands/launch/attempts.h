/* attempts.h - several sessions for one task: `afw new fix -a claude*2,codex`.
 */
#ifndef AFW_COMMANDS_LAUNCH_ATTEMPTS_H
#define AFW_COMMANDS_LAUNCH_ATTEMPTS_H

#include <stdbool.h>

#include "base/mem.h"
#include "commands/command.h"

#define ATTEMPTS_MAX 16

struct attempts {
	struct args *v; /* the command line of each, as if typed alone, and with
			   the group */
	size_t n;
	struct strv texts; /* what they borrow */
};

/* Returns whether -a names several agents. */
bool attempts_are_meant(const struct args *args);

/* Reads the list of -a; ERR_USAGE if it is wrong. In every case the caller
 * calls attempts_finish(). The results borrow from args. */
int attempts_read(struct attempts *a, const struct args *args, struct err *err);
void attempts_finish(struct attempts *a);

#endif
