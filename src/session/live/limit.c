/* limit.c - counts under a lock, so that two processes cannot take the last
 * place. */
#include "session/live/limit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/mem.h"
#include "session/disk/dirs.h"
#include "session/session.h"

#define WAIT_MS	    20000
#define NAMES_BYTES 180 /* with the rest they fit err.hint */

int limit_lock(struct err *err)
{
	_free_ char *sessions = dirs_sessions(err);
	_free_ char *path = NULL;
	_close_ int fd = -1;

	if (!sessions)
		return -1;
	path = mem_printf("%s.count", sessions);
	fd = file_open(AT_FDCWD, path, O_RDWR | O_CREAT, err);
	if (fd < 0 || file_lock(fd, WAIT_MS) == 0)
		return TAKE_FD(fd);
	if (errno == EAGAIN)
		return err_set(err, ERR_TIMEOUT,
			       "another afw has held sessions.count for %d s",
			       WAIT_MS / 1000);
	err_errno(err, "lock %s", path);
	return file_hint_locks(err);
}

/* The lock of a session that starts is held too, so it counts as alive.
 * leaving: this many of them end first. */
static int check_limit(const struct session_list *l, int64_t max, int leaving,
		       struct err *err)
{
	_buf_ struct buf names = {0};
	int64_t n = 0, named = 0;
	char more[40] = "";

	for (size_t i = 0; i < l->n; i++) {
		const struct session *s = &l->v[i];
		char *label;
		size_t len;

		if (!s->alive)
			continue;
		label = session_label(s, l);
		len = strlen(label) + 2;
		/* The first name that does not fit ends the list. */
		if (n++ == named &&
		    (!named || names.len + len <= NAMES_BYTES)) {
			buf_addf(&names, "%s%.*s", named ? ", " : "",
				 NAMES_BYTES, label);
			named++;
		}
		free(label);
	}
	if (n - leaving >= max) {
		err_set(err, ERR_LIMIT,
			"%lld session%s already, and max_sessions is %lld",
			(long long)n, n == 1 ? " runs" : "s run",
			(long long)max);
		if (n > named)
			snprintf(more, sizeof more, " and %lld more",
				 (long long)(n - named));
		err_hint(err, "running: %s%s; stop one, or raise the limit",
			 names.data ? names.data : "", more);
	}
	return n - leaving >= max ? -1 : 0;
}

int limit_check(int64_t most, int n, struct err *err)
{
	_session_list_ struct session_list l = {0};

	if (most <= 0)
		return 0;
	return session_list_load(&l, err) < 0
		   ? -1
		   : check_limit(&l, most, 1 - n, err);
}

int limit_lock_checked(int64_t most, struct err *err)
{
	int fd;

	if (most <= 0)
		return -2;
	fd = limit_lock(err);
	if (fd >= 0 && limit_check(most, 1, err) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}
