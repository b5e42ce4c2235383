/* podman.h - a rootless container of the user's own podman. */
#ifndef AFW_SANDBOX_PODMAN_H
#define AFW_SANDBOX_PODMAN_H

#include "sandbox/sandbox.h"

extern const struct sandbox sandbox_podman;

/*
 * Of `podman info` (podman_args.h): -1 with err where it is too old; else adds
 * what of the limits it would ignore to degraded, and returns whether it keeps
 * to them.
 */
int podman_read_info(const char *info, struct strv *degraded, struct err *err);

#endif
