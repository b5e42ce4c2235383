/* limit.c - counting under a lock, so that two cannot take the last place. */
#include "session/limit.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/mem.h"
#include "session/dirs.h"
#include "session/session.h"

#define WAIT_MS	 5000
#define NAMES	 5

void limit_release(int fd)
{
	if (fd >= 0)
		close(fd);
}

static int take_lock(struct err *err)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int64_t end = clock_mono_ms() + WAIT_MS;
	char *sessions = dirs_sessions(err), *path;
	int fd;

	if (!sessions)
		return -1;
	path = mem_printf("%s.count", sessions);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		err_errno(err, "open %s", path);
	/* A blocking lock has no deadline; it is held for milliseconds. */
	while (fd >= 0 && fcntl(fd, F_OFD_SETLK, &fl) < 0) {
		if (clock_mono_ms() > end) {
			err_set(err, ERR_TIMEOUT,
				"another afw has been counting sessions for "
				"%d s",
				WAIT_MS / 1000);
			close(fd);
			fd = -1;
			break;
		}
		poll(NULL, 0, 2);
	}
	free(path);
	free(sessions);
	return fd;
}

/* The lock of a session that starts is held too, so it counts as alive. */
static int count(int64_t max, struct err *err)
{
	struct session_list l;
	struct buf names = {0};
	int64_t n = 0;

	if (session_list_load(&l, err) < 0)
		return -1;
	for (size_t i = 0; i < l.n; i++) {
		char *label;

		if (!l.v[i].alive)
			continue;
		label = session_label(&l.v[i], &l);
		if (n++ < NAMES)
			buf_addf(&names, "%s%s", n > 1 ? ", " : "", label);
		free(label);
	}
	session_list_finish(&l);
	if (n >= max) {
		err_set(err, ERR_LIMIT,
			"%lld sessions run already, and max_sessions is %lld",
			(long long)n, (long long)max);
		err_hint(err, "running: %s%s; stop one, or raise the limit",
			 names.data ? names.data : "",
			 n > NAMES ? ", …" : "");
	}
	buf_finish(&names);
	return n >= max ? -1 : 0;
}

int limit_take(int64_t max, struct err *err)
{
	int fd;

	if (max <= 0)
		return -2;
	fd = take_lock(err);
	if (fd >= 0 && count(max, err) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}
