/*
 * replay.h - a recording through the observer, by its own clock: what would the
 * session have said, and when? Beside it stands what was true, where the
 * recording has that as markers ("activity=…"; "activity=" where it is not
 * known).
 *
 * Nothing here waits; ten minutes of a terminal take some milliseconds.
 */
#ifndef AFW_SUPERVISOR_MONITOR_REPLAY_H
#define AFW_SUPERVISOR_MONITOR_REPLAY_H

#include <stdbool.h>

/*
 * `afw adapters test`: json as one object a file, else as lines; screen_only:
 * by the screen alone. files ends with NULL. The standard input is an object of
 * harnesses' rules, {"claude": {"busy": […], …}, …}. Returns the exit code.
 */
int replay_run(bool json, bool screen_only, char **files);

#endif
