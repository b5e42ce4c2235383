/* wait_lock.c - locks a file against other runs of afw-worktree. A blocking
 * lock would have no deadline. */
#include "worktrees/wait_lock.h"

#include <errno.h>
#include <poll.h>
#include <sys/file.h>

#include "base/clock.h"
#include "base/file.h"

#define LOCK_MS	     60000
#define LOCK_POLL_MS 5

int wait_lock(int fd, const char *path, struct output *out, struct err *err)
{
	int64_t end = clock_mono_ms() + LOCK_MS;
	struct output nobody = {.fd = -1};

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno != EWOULDBLOCK) {
			err_errno(err, "lock %s", path);
			return file_hint_locks(err);
		}
		if (output_check(out ? out : &nobody, err) < 0)
			return -1;
		if (clock_mono_ms() > end)
			return err_set(err, ERR_TIMEOUT,
				       "another process has had %s locked for "
				       "%d s",
				       path, LOCK_MS / 1000);
		poll(NULL, 0, LOCK_POLL_MS);
	}
	return 0;
}
