/* lock.c - a lock that says who may write, and who is alive. */
#include "session/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"

static int open_lock(const char *session_dir, int flags)
{
	char *path = file_join(session_dir, "lock");
	int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
	int saved = errno;

	free(path);
	errno = saved;
	return fd;
}

int lock_take(const char *session_dir, struct err *err)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_lock(session_dir, O_RDWR | O_CREAT);

	if (fd < 0)
		return err_errno(err, "open the lock of %s", session_dir);
	if (fcntl(fd, F_OFD_SETLK, &fl) == 0)
		return fd;
	if (errno == EAGAIN || errno == EACCES)
		err_set(err, ERR_CONFLICT,
			"another afw is at work on this session");
	else
		err_errno(err, "lock %s", session_dir);
	close(fd);
	return -1;
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
