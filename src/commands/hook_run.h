/* hook_run.h - a command that runs hooks: its output is printed, made safe. */
#ifndef AFW_COMMANDS_HOOK_RUN_H
#define AFW_COMMANDS_HOOK_RUN_H

#include <stdint.h>

#include "base/err.h"
#include "base/spawn.h"

struct hook_end {
	int status;	/* as of waitpid(2) */
	char last[200]; /* line of its output */
};

/*
 * Runs it in a terminal session of its own, without input. Its output goes to
 * standard error: at most 256 KiB, without control characters. -1 with err if
 * it could not be started, is not done in time, or a signal came that ends
 * afw; the last two end it with all that it has started.
 */
int hook_run(struct spawn *sp, const char *name, int64_t timeout_ms,
	     struct hook_end *end, struct err *err);

#endif
