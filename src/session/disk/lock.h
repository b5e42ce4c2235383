/*
 * lock.h - the session's lock on sessions/<id>/lock, held by who may write
 * its state. It goes from afw to the supervisor by inheritance of the open
 * file, without a gap, and the kernel frees it in every kind of death.
 *
 * An open-file-description lock (fcntl(2), F_OFD_SETLK) rather than flock(2):
 * it has the same life, and a reader can ask whether it is held
 * (F_OFD_GETLK) without taking it for an instant, which would make somebody
 * else's lock_take() fail. Tests hold one with tests/hold_lock.pl.
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
 * ERR_NO_SESSION if the session is gone by now. Does not wait.
 */
int lock_take(const char *session_dir, struct err *err);

/* The same where somebody holds it for a moment only, as who keeps a message
 * for a session that does not run: waits for that, LOCK_SOON_MS at most. */
#define LOCK_SOON_MS 500
int lock_take_soon(const char *session_dir, struct err *err);

/* 1 while somebody else's open file holds it, 0 where nobody does; -1 where
 * that cannot be known. */
int lock_look(const char *session_dir, struct err *err);

/* The same; what cannot be known is taken for held. */
bool lock_is_held(const char *session_dir);

#endif
