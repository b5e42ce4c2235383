/* inside.h - the first program in a container. */
#ifndef AFW_CONFINE_INSIDE_H
#define AFW_CONFINE_INSIDE_H

/* `afw-supervisor inside COMMAND...`: becomes it, with the environment that
 * descriptor 3 has, "K=V" and a NUL each, and no other; else the exit code. */
int inside_run(char *const *argv);

#endif
