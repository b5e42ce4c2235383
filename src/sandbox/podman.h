/* podman.h - a rootless container of the user's own podman. */
#ifndef AFW_SANDBOX_PODMAN_H
#define AFW_SANDBOX_PODMAN_H

#include <stdint.h>

#include "base/buf.h"
#include "sandbox/sandbox.h"
#include "session/reconcile.h"

extern const struct sandbox sandbox_podman;

#define PODMAN_CALL_MS 20000

/* Runs podman, and takes argv over. out may be NULL. Its exit code, above 0
 * with its words in err; -1 with err. Blocks for timeout_ms at most. */
int podman_call(struct strv *argv, int64_t timeout_ms, struct buf *out,
		struct err *err);

/* As reconcile.h wants them. */
void podman_containers(reconcile_container_fn *fn, void *ctx);

/* Is there a podman that can be used? What of the limits it would ignore is
 * added to degraded (or NULL). Blocks for PODMAN_CALL_MS at most. */
int podman_look(struct strv *degraded, struct err *err);

/* The same, of what `podman info` (podman_args.h) has said. */
int podman_read_info(const char *info, struct strv *degraded, struct err *err);

#endif
