/* landlock.h - tier landlock: limits of the kernel itself; nothing to
 * install. */
#ifndef AFW_SANDBOX_LANDLOCK_H
#define AFW_SANDBOX_LANDLOCK_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

extern const struct sandbox sandbox_landlock;

/* Adds the limits that a kernel with this version of Landlock cannot enforce;
 * namespaces: "yes", or why there are none; ports: they must be limited. */
void landlock_lacks(int version, const char *namespaces, bool ports,
		    struct strv *out);

#endif
