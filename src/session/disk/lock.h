/*
 * lock.h - the lock on sessions/<id>/lock, whose holder alone may write the
 * session's state. The supervisor inherits the open file from afw, so there is
 * no gap, and the kernel releases the lock however the process ends.
 *
 * An open-file-description lock (fcntl(2), F_OFD_SETLK) rather than flock(2):
 * it lasts as long, and F_OFD_GETLK tests it without taking it for an instant,
 * which would make the lock_acquire() of another process fail. Tests hold one
 * with tests/hold_lock.pl.
 */
#ifndef AFW_SESSION_DISK_LOCK_H
#define AFW_SESSION_DISK_LOCK_H

#include <stdbool.h>

#include "base/err.h"

/* Makes and takes the lock of a directory that is new. */
int lock_create(const char *session_dir, struct err *err);

/*
 * Returns the descriptor that holds the lock, or -1: ERR_CONFLICT if another
 * process holds it, or if its file was deleted under the session;
 * ERR_NO_SESSION if the session was removed. Does not wait.
 */
int lock_acquire(const char *session_dir, struct err *err);

/* Waits LOCK_SOON_MS at most for a lock that is held for a moment only, such as
 * by a process that queues a message for a stopped session. */
#define LOCK_SOON_MS 500
int lock_acquire_soon(const char *session_dir, struct err *err);

/* Returns 1 if another open file holds it, 0 if none does, -1 if that cannot be
 * found out. */
int lock_check(const char *session_dir, struct err *err);

/* Returns whether it is held, or may be. */
bool lock_is_held(const char *session_dir);

#endif
