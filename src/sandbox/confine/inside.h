/* inside.h - `afw-supervisor inside`: the first program in a container, or of a
 * command in it. */
#ifndef AFW_SANDBOX_CONFINE_INSIDE_H
#define AFW_SANDBOX_CONFINE_INSIDE_H

#include <stdbool.h>

/*
 * Docker passes no descriptors. Instead one FIFO in this directory has the
 * environment, and the other one is hold of sandbox.h: a container that is
 * ready sends a byte there and waits until the reader has closed it. A command
 * beside the agent has a FIFO of its own, which the variable INSIDE_FIFO_OF
 * names. Docker's command has it open to write: when that has ended, the
 * command ends.
 */
#define INSIDE_FIFOS	  "/run/afw/fifos"
#define INSIDE_FIFO_ENV	  "env"
#define INSIDE_FIFO_READY "ready"
#define INSIDE_FIFO_OF	  "AFW_FIFO"

/* Replaces the environment of this process with the one that descriptor 3 has,
 * "K=V" and a NUL each and one more NUL, and closes it. Returns -1 if it cannot
 * be read; the reason is on standard error, after the name of the tier. */
int inside_env(const char *tier);

/* `afw-supervisor inside COMMAND...`: becomes the command, with only the
 * environment of inside_env(); on failure returns the exit code. For a command
 * beside the container's first program it stays the command's parent, ends the
 * processes that it leaves, and returns its exit code. With host_network
 * (`inside-host`) the command cannot use abstract sockets of others. */
int inside_run(bool host_network, char *const *argv);

#endif
