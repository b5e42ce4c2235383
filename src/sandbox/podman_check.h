/* podman_check.h - checks that podman (or docker) works here, and what it can
 * limit. */
#ifndef AFW_SANDBOX_PODMAN_CHECK_H
#define AFW_SANDBOX_PODMAN_CHECK_H

#include <stdbool.h>

#include "base/err.h"
#include "session/spec.h"

/* The reason in degraded if it cannot enforce every limit. */
#define PODMAN_NO_LIMITS                                                       \
	"sandbox podman: memory and processors are not limited (cgroups are "  \
	"not delegated to you)"

/* Checks that the engine (podman_engine.h) can be used. */
int podman_check(const char *engine, struct err *err);

/* sandbox.h, check and try. */
int podman_check_session(const struct spec *spec, struct strv *degraded,
			 struct err *err);
int podman_check_try(const struct spec *spec, const char *dir, struct err *err);

/* Check podman's version; and the contents of a file cgroup.controllers: true
 * if limits are enforced. */
int podman_check_version(const char *version, struct err *err);
bool podman_check_limits(const char *controllers);

#endif
