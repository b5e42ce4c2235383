/* podman.h - tier podman: a rootless container of the user's podman. */
#ifndef AFW_SANDBOX_PODMAN_H
#define AFW_SANDBOX_PODMAN_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

extern const struct sandbox sandbox_podman;

/* Called for each container that was made for a session, with the session's
 * directory. -1 with err if the engine fails. */
typedef void podman_container_fn(void *ctx, const char *engine,
				 const char *container, const char *dir);
int podman_containers(const char *engine, podman_container_fn *fn, void *ctx,
		      struct err *err);

/* Stops and removes the container of the session with that id. */
int podman_remove(const char *engine, const char *id, struct err *err);

#endif
