/* host_output.h - shows output from another machine on the user's terminal,
 * filtered like an attached session's (screen/screen.h). */
#ifndef AFW_COMMANDS_LAUNCH_HOST_OUTPUT_H
#define AFW_COMMANDS_LAUNCH_HOST_OUTPUT_H

#include "base/err.h"
#include "base/spawn.h"

/*
 * Runs sp in the foreground until it ends. Filters its standard output and
 * error if they are terminals, and restores the terminal at the end. clipboard
 * is as in afw.ini(5); with "focused" the other machine decides whether the
 * terminal has the focus. Returns the exit code, 128 plus the signal, or -1.
 */
int host_output_run(struct spawn *sp, const char *clipboard, struct err *err);

#endif
