/* host_after.h - gives back the place that one session had, and starts what
 * fetches its work meanwhile. */
#ifndef AFW_COMMANDS_LAUNCH_HOST_AFTER_H
#define AFW_COMMANDS_LAUNCH_HOST_AFTER_H

#include <stdbool.h>

#include "base/err.h"

/* Returns whether the url names a place of one session: `each` of its host. */
bool host_is_of_session(const char *url);

/* After a command with that exit code: gives the place back if `rm` has removed
 * its session, or if `new` failed in a place that it had made. Otherwise starts
 * share/hosts/keep if the host has keep = turn. */
int host_after(const char *command, const char *url, int code, struct err *err);

#endif
