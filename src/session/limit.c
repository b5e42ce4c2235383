/* limit.c - counting under a lock, so that two cannot take the last place. */
#include "session/limit.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
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

/*
 * The lock of a session that starts is held too, so it counts as alive.
 * repository NULL: all sessions count.
 */
static int check(const struct session_list *l, const char *repository,
		 const char *option, int64_t max, struct err *err)
{
	struct buf names = {0};
	int64_t n = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct session *s = &l->v[i];
		char *label;

		if (!s->alive ||
		    (repository && (!s->spec.repository ||
				    strcmp(s->spec.repository, repository))))
			continue;
		label = session_label(s, l);
		if (n++ < NAMES)
			buf_addf(&names, "%s%s", n > 1 ? ", " : "", label);
		free(label);
	}
	if (n >= max) {
		err_set(err, ERR_LIMIT,
			"%lld sessions run already, and %s is %lld",
			(long long)n, option, (long long)max);
		err_hint(err, "running: %s%s; stop one, or raise the limit",
			 names.data ? names.data : "",
			 n > NAMES ? ", …" : "");
	}
	buf_finish(&names);
	return n >= max ? -1 : 0;
}

static int count(const struct limit *limit, const char *repository,
		 struct err *err)
{
	struct session_list l;
	int rc;

	if (session_list_load(&l, err) < 0)
		return -1;
	rc = limit->all ? check(&l, NULL, "max_sessions", limit->all, err) : 0;
	if (rc == 0 && limit->per_repository)
		rc = check(&l, repository, "max_sessions_per_repository",
			   limit->per_repository, err);
	session_list_finish(&l);
	return rc;
}

int limit_take(const struct limit *limit, const char *repository,
	       struct err *err)
{
	int fd;

	if (limit->all <= 0 && limit->per_repository <= 0)
		return -2;
	fd = take_lock(err);
	if (fd >= 0 && count(limit, repository, err) < 0) {
		close(fd);
		return -1;
	}
	return fd;
}
