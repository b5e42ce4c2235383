/* podman_ports.h - the ports of a container that this machine can reach. */
#ifndef AFW_SANDBOX_PODMAN_PORTS_H
#define AFW_SANDBOX_PODMAN_PORTS_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/mem.h"
#include "session/spec.h"

/*
 * Adds to ports an object for each of spec's: port, its number inside, and
 * at, one on loopback that is free now; the engine's start fails if another
 * process takes it before.
 */
int podman_ports_choose(const struct spec *spec, cJSON *ports, struct err *err);

/* Adds the options of `podman run`. */
void podman_ports_add(const cJSON *ports, struct strv *argv);

/* The same for the ports of the session itself, each at its own number. Those
 * that another process has taken are left out, with a note in degraded. */
void podman_ports_add_own(const struct spec *spec, struct strv *argv,
			  struct strv *degraded);

#endif
