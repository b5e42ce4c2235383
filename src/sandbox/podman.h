/* podman.h - a rootless container of the user's own podman. */
#ifndef AFW_SANDBOX_PODMAN_H
#define AFW_SANDBOX_PODMAN_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

extern const struct sandbox sandbox_podman;

/* Calls fn for each container that was made for a session, with that one's
 * directory. -1 with err if podman fails. */
typedef void podman_container_fn(void *ctx, const char *container,
				 const char *dir);
int podman_containers(podman_container_fn *fn, void *ctx, struct err *err);

/* Ends and removes the container of the session with that id. */
int podman_remove(const char *id, struct err *err);

/* Is there a podman that can be used? */
int podman_look(struct err *err);

/* Of its version; of a file cgroup.controllers, whether it keeps to limits. */
int podman_check_version(const char *version, struct err *err);
bool podman_keeps_limits(const char *controllers);

#endif
