/* hook_run.h - runs a hook, and prints its output made safe. */
#ifndef AFW_COMMANDS_HOOK_RUN_H
#define AFW_COMMANDS_HOOK_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/spawn.h"

struct hook_end {
	bool contained; /* set by the caller: what the hook leaves running is
			   ended from inside its container */
	int status;	/* as from waitpid(2) */
	char last[200]; /* last line of its output */
};

/*
 * Runs a hook in a session (setsid) of its own, without input. Its output goes
 * to standard error: at most 256 KiB, without control characters. -1 with err
 * if it could not be started, if it timed out, or if a signal arrived that ends
 * afw; in the last two cases ends it. Ends all its descendants. Blocks.
 */
int hook_run(struct spawn *sp, const char *name, int64_t timeout_ms,
	     struct hook_end *end, struct err *err);

#endif
