/* limit.h - how many sessions may run at once. */
#ifndef AFW_SESSION_LIVE_LIMIT_H
#define AFW_SESSION_LIVE_LIMIT_H

#include <stdint.h>

#include "base/err.h"

/*
 * Locks the counting and naming of sessions until file_close(); -1 with
 * ERR_TIMEOUT if another process holds the lock for 20 s.
 */
int limit_lock(struct err *err);
/* Checks that n more sessions may run, most (0: no limit) in all; ERR_LIMIT
 * names the running ones. The caller holds that lock. n 0: before a restart,
 * that a session may run again after it has ended; another may still start
 * first. */
int limit_check(int64_t most, int n, struct err *err);

/*
 * Locks and checks in one call. Returns the lock's descriptor, for file_close()
 * when the new session's own lock is held; -1 as the two above; -2 if there is
 * no limit.
 */
int limit_lock_checked(int64_t most, struct err *err);

#endif
