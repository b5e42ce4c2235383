/* lock.c - a lock that says who may write, and who is alive. */
#include "session/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

#define LOOK_MS 5

static int open_lock(const char *session_dir, int flags)
{
	char *path = file_join(session_dir, "lock");
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	int saved = errno;

	free(path);
	errno = saved;
	return fd;
}

/* Who held it may have removed the session since we opened it. */
static bool is_still_its(const char *session_dir, int fd)
{
	struct stat held, there;
	int now = open_lock(session_dir, O_RDONLY);
	bool same = now >= 0 && fstat(now, &there) == 0 &&
		    fstat(fd, &held) == 0 && held.st_dev == there.st_dev &&
		    held.st_ino == there.st_ino;

	if (now >= 0)
		close(now);
	return same;
}

static int gone(struct err *err)
{
	return err_set(err, ERR_NO_SESSION,
		       "another afw has removed it meanwhile");
}

int lock_take(const char *session_dir, struct err *err)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_lock(session_dir, O_RDWR | O_CREAT);

	if (fd < 0 && errno == ENOENT)
		return gone(err);
	if (fd < 0)
		return err_errno(err, "open the lock of %s", session_dir);
	if (fcntl(fd, F_OFD_SETLK, &fl) == 0) {
		if (is_still_its(session_dir, fd))
			return fd;
		close(fd);
		return gone(err);
	}
	if (errno == EAGAIN || errno == EACCES)
		err_set(err, ERR_CONFLICT,
			"another afw is at work on this session");
	else
		err_errno(err, "lock %s", session_dir);
	close(fd);
	return -1;
}

int lock_take_soon(const char *session_dir, struct err *err)
{
	int64_t now = clock_mono_ms(), end = now + LOCK_SOON_MS;
	struct err why = {0};
	int fd;

	/* Once more when the time is over: we may have stood still. */
	while ((fd = lock_take(session_dir, &why)) < 0 &&
	       why.kind == ERR_CONFLICT && now < end) {
		poll(NULL, 0, LOOK_MS);
		now = clock_mono_ms();
	}
	if (fd < 0 && err)
		*err = why;
	return fd;
}

bool lock_is_held(const char *session_dir)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_lock(session_dir, O_RDONLY);
	bool held;

	if (fd < 0)
		return false;
	held = fcntl(fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
	close(fd);
	return held;
}
