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
 * Keeps others from counting sessions, and from giving one a name, until
 * file_close(); -1 with ERR_TIMEOUT where somebody does so for 20 s.
 */
int limit_lock(struct err *err);
/* Whether there is room for one more in repository: ERR_LIMIT with who holds
 * the places. For who holds that lock. */
int limit_check(const struct limit *limit, const char *repository,
		struct err *err);

/*
 * Makes sure that there is room for one more in repository. Returns a
 * descriptor that keeps others from counting, for file_close() when the new
 * session's own lock is held; -1 as the two above. Without any limit it
 * returns -2.
 */
int limit_take(const struct limit *limit, const char *repository,
	       struct err *err);
/* Says so beforehand, for one that would be started again: whether there is
 * room when the one of repository that runs now has ended. Others may be
 * faster. */
int limit_check_restart(const struct limit *limit, const char *repository,
			struct err *err);

#endif
