/*
 * probe.h - `afw-supervisor ready TEXT MS`: waits until TEXT (base/ready.h: tcp
 * or http) is ready on the machine, or in the container, that it runs on.
 */
#ifndef AFW_SUPERVISOR_SERVICES_PROBE_H
#define AFW_SUPERVISOR_SERVICES_PROBE_H

#include <stdbool.h>

/* Blocks for ms at most. Returns an exit code: 0, it is ready; 1, not. */
int probe_run(const char *text, int ms);

/* Somebody listens on that port here. */
bool probe_port_taken(int port);

#endif
