/* inside.h - the first program in a container, or of a command in it. */
#ifndef AFW_SANDBOX_CONFINE_INSIDE_H
#define AFW_SANDBOX_CONFINE_INSIDE_H

/* Replaces the environment of this process with what descriptor 3 has, "K=V"
 * and a NUL each, and closes it. Returns -1 if it cannot be read; the reason is
 * on standard error, after the name of that tier. */
int inside_env(const char *tier);

/* `afw-supervisor inside COMMAND...`: becomes it, with the environment of
 * inside_env() and no other; else the exit code.
 * Beside the container's first program it stays above the command, ends what is
 * left below when it ends, and returns its exit code. */
int inside_run(char *const *argv);

#endif
