/*
 * host_output.h - what a command brings from another machine, shown on the
 * user's terminal as an attached session's output is: only what is allowed
 * (screen/screen.h).
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_OUTPUT_H
#define AFW_COMMANDS_LAUNCH_HOST_OUTPUT_H

#include "base/err.h"
#include "base/spawn.h"

/*
 * Runs it in the foreground, to its end. Of its standard output and error,
 * those that are a terminal are filtered; the terminal is as it was at the end.
 * clipboard is as in afw.ini(5); "focused" leaves it to the other machine
 * whether the terminal has the focus. Returns its exit code, 128 and its
 * signal, or -1.
 */
int host_output_run(struct spawn *sp, const char *clipboard, struct err *err);

#endif
