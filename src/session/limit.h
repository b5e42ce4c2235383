/* limit.h - how many sessions may run at once. */
#ifndef AFW_SESSION_LIMIT_H
#define AFW_SESSION_LIMIT_H

#include <stdint.h>

#include "base/err.h"

struct limit {
	int64_t all;		/* of all sessions; 0: no limit */
	int64_t per_repository; /* of one repository's; 0: no limit */
};

/*
 * Makes sure that there is room for one more in repository. Returns a
 * descriptor that keeps others from counting, for file_close() when the new
 * session's own lock is held; -1 with ERR_LIMIT and who holds the places, or
 * ERR_TIMEOUT where somebody counts for more than 5 s. Without any limit it
 * returns -2.
 */
int limit_take(const struct limit *limit, const char *repository,
	       struct err *err);
/* Says so beforehand, for one that would be started again: whether there is
 * room when the one of repository that runs now has ended. Others may be
 * faster. */
int limit_look_again(const struct limit *limit, const char *repository,
		     struct err *err);

#endif
