/* podman.h - a rootless container of the user's own podman. */
#ifndef AFW_SANDBOX_PODMAN_H
#define AFW_SANDBOX_PODMAN_H

#include <stdint.h>

#include "base/buf.h"
#include "sandbox/sandbox.h"

extern const struct sandbox sandbox_podman;

#define PODMAN_CALL_MS 20000

/* Runs podman, and takes argv over. out may be NULL. Its exit code, above 0
 * with its words in err; -1 with err. Blocks for timeout_ms at most. */
int podman_call(struct strv *argv, int64_t timeout_ms, struct buf *out,
		struct err *err);

/* Calls fn for each container that was made for a session, with that one's
 * directory. */
typedef void podman_container_fn(void *ctx, const char *container,
				 const char *dir);
void podman_containers(podman_container_fn *fn, void *ctx);

/* Is there a podman that can be used? */
int podman_look(struct err *err);

/* Of its version; of a file cgroup.controllers, whether it keeps to limits. */
int podman_check_version(const char *version, struct err *err);
bool podman_keeps_limits(const char *controllers);

#endif
