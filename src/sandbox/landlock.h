/* landlock.h - the kernel's own walls; nothing to install. */
#ifndef AFW_SANDBOX_LANDLOCK_H
#define AFW_SANDBOX_LANDLOCK_H

#include <stdbool.h>

#include "sandbox/sandbox.h"

extern const struct sandbox sandbox_landlock;

/* Adds what a kernel with this version of Landlock does not enforce;
 * namespaces: "yes", or why there are none; ports: they are to be limited. */
void landlock_lacks(int version, const char *namespaces, bool ports,
		    struct strv *out);

#endif
