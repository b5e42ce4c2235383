/*
 * host.h - commands that run on another machine, by the user's own ssh
 * (afw(1), "OTHER MACHINES").
 *
 * Here the command line is only read; there it is run by that machine's afw,
 * in the directory that the address names. Which machine: $AFW_HOST, which
 * -H sets, else `host` of the configuration; "local" is this one.
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_H
#define AFW_COMMANDS_LAUNCH_HOST_H

#include "base/err.h"

struct args;

/* Takes "-H URL" away where it stands before the command, and sets
 * $AFW_HOST. argv[0] stays. */
int host_take(int *argc, char **argv, struct err *err);

/*
 * Returns 0 if the command is to run here, 1 if it has run on another machine,
 * with its exit code, or -1. `new` first pushes the commit that it starts from.
 * Blocks for as long as git and the command do.
 */
int host_leave(const struct args *args, int *code, struct err *err);

/* What ssh runs there: "afw on-host DIR WORD...", each in hexadecimal digits.
 * Decodes it in place, goes to DIR, and leaves argv as if it had been typed
 * there. */
int host_arrive(int *argc, char **argv, struct err *err);

#endif
