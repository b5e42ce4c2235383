/*
 * replay.h - plays a recording through the observer, by the recording's clock:
 * what would the session have reported, and when? The true activity is printed
 * next to it if the recording has it in markers ("activity=..."; "activity=" if
 * it is unknown).
 *
 * Nothing here waits: ten minutes of a terminal take some milliseconds.
 */
#ifndef AFW_SUPERVISOR_MONITOR_REPLAY_H
#define AFW_SUPERVISOR_MONITOR_REPLAY_H

#include <stdbool.h>

/*
 * Runs `afw adapters test`. json: prints an object for each file, else lines.
 * screen_only: uses only the screen. files ends with NULL. The standard input
 * is an object of harnesses' rules, {"claude": {"busy": […], …}, …}. Returns
 * the exit code.
 */
int replay_run(bool json, bool screen_only, char **files);

#endif
