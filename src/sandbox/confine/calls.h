/* calls.h - denies system calls to an agent. */
#ifndef AFW_SANDBOX_CONFINE_CALLS_H
#define AFW_SANDBOX_CONFINE_CALLS_H

#include <stdbool.h>

#include "base/err.h"

/* Denies system calls to this process and its children: those that tier
 * landlock denies, or in a container those that podman does not deny. */
int calls_deny(bool container, struct err *err);

/* Returns "libseccomp 2.5.4", as it was loaded. */
const char *calls_library(void);

#endif
