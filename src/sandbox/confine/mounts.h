/* mounts.h - a view of the file system for one process and its children. */
#ifndef AFW_SANDBOX_CONFINE_MOUNTS_H
#define AFW_SANDBOX_CONFINE_MOUNTS_H

#include <cjson/cJSON.h>

#include "base/err.h"

/* Of its own to whoever is in the view, and writable. NULL ends. */
extern const char *const mounts_own[];

/*
 * Moves this process into namespaces of users (as the same user), mounts and
 * System V's shared memory: -1 with errno where the system allows none.
 */
int mounts_enter(void);

/*
 * All is read only, for chmod(2) and its like too, which Landlock knows
 * nothing of, but rules' write and a /tmp of its own; fixed and git are as
 * confine.h says.
 */
int mounts_apply(const cJSON *rules, struct err *err);

#endif
