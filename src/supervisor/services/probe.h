/*
 * probe.h - `afw-supervisor ready TEXT MS`: waits until TEXT (base/ready.h: tcp
 * or http) is ready on this machine or in this container.
 */
#ifndef AFW_SUPERVISOR_SERVICES_PROBE_H
#define AFW_SUPERVISOR_SERVICES_PROBE_H

#include <stdbool.h>

/* Blocks for at most ms. Returns an exit code: 0 if it is ready, 1 if not. */
int probe_run(const char *text, int ms);

/* Returns whether a process listens on that port here. */
bool probe_port_in_use(int port);

#endif
