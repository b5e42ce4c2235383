/*
 * host.h - runs commands on another machine, with the user's ssh (afw(1),
 * "OTHER MACHINES").
 *
 * This machine only parses the command line; the other machine's afw runs it,
 * in the directory that the address names (host_choice.h).
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_H
#define AFW_COMMANDS_LAUNCH_HOST_H

#include "base/err.h"

struct args;

/* Removes "-H URL" if it is before the command, and sets $AFW_HOST. argv[0]
 * stays. */
int host_parse(int *argc, char **argv, struct err *err);

/*
 * Returns 0 if the command must run here, 1 if it has run on another machine,
 * with its exit code in *code, or -1 with err. For `new` first pushes the
 * commit from which the session starts. Blocks as long as git and the command
 * run.
 */
int host_run_remote(struct args *args, int *code, struct err *err);

/* Handles "afw on-host DIR WORD...", which ssh runs, each word in hexadecimal
 * digits: decodes the words in place, changes to DIR, and leaves argv as if it
 * had been typed there. */
int host_arrive(int *argc, char **argv, struct err *err);

#endif
