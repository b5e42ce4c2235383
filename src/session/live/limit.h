/* limit.h - how many sessions may run at once. */
#ifndef AFW_SESSION_LIVE_LIMIT_H
#define AFW_SESSION_LIVE_LIMIT_H

#include <stdint.h>

#include "base/err.h"

struct limit {
	int64_t all;		/* of all sessions; 0: no limit */
	int64_t per_repository; /* of one repository's; 0: no limit */
};

/*
 * Locks the counting and naming of sessions until file_close(); -1 with
 * ERR_TIMEOUT if another process holds the lock for 20 s.
 */
int limit_lock(struct err *err);
/* Checks that n more sessions may run in repository; ERR_LIMIT names the
 * running ones. The caller holds that lock. */
int limit_check(const struct limit *limit, const char *repository, int n,
		struct err *err);

/*
 * Locks and checks in one call. Returns the lock's descriptor, for file_close()
 * when the new session's own lock is held; -1 as the two above; -2 if there is
 * no limit.
 */
int limit_lock_checked(const struct limit *limit, const char *repository,
		       struct err *err);
/* Checks before a restart that the session may run again after it has ended.
 * Another session may still start first. */
int limit_check_restart(const struct limit *limit, const char *repository,
			struct err *err);

#endif
