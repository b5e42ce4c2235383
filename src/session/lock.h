/*
 * lock.h - the session's lock: an flock on sessions/<id>/lock, held by who
 * may write its state. It goes from afw to the supervisor by inheritance of
 * the open file, without a gap, and the kernel frees it in every death.
 */
#ifndef AFW_SESSION_LOCK_H
#define AFW_SESSION_LOCK_H

#include <stdbool.h>

#include "base/err.h"

/* Returns the descriptor that holds the lock, or -1: ERR_CONFLICT where
 * somebody else holds it. Does not wait. */
int lock_take(const char *session_dir, struct err *err);

/* True while somebody holds it. */
bool lock_is_held(const char *session_dir);

#endif
