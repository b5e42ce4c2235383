/* moment.h - a time in the past or in the future, as users write it. */
#ifndef AFW_COMMANDS_CLI_MOMENT_H
#define AFW_COMMANDS_CLI_MOMENT_H

#include <stdint.h>

#include "base/err.h"

/*
 * Reads "30m", "3d" (ago), "14:30" (the last time when the clock here showed
 * it) or a time of RFC 3339, as wall ms. -1 with ERR_USAGE, which names the
 * command, and a hint.
 */
int64_t moment_past(const char *command, const char *text, int64_t now,
		    struct err *err);

/* Does the same for a time after now: "30m" from now, the next "14:30". */
int64_t moment_future(const char *command, const char *text, int64_t now,
		      struct err *err);

#endif
