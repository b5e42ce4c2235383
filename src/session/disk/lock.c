/* lock.c - the lock that shows which process may write, and whether one is
 * running. */
#include "session/disk/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "session/disk/board.h"

#define POLL_MS 5

static int open_lock(const char *session_dir, int flags, struct err *err)
{
	_free_ char *path = file_join(session_dir, "lock");

	return file_open(AT_FDCWD, path, flags, err);
}

static int err_removed(struct err *err)
{
	return err_set(err, ERR_NO_SESSION,
		       "another afw has removed it meanwhile");
}

/* Without the file it is unknown whether a supervisor is running, so it is not
 * created again. */
static int err_no_lock(const char *session_dir, struct err *err)
{
	if (access(session_dir, F_OK) < 0)
		return err_removed(err);
	err_set(err, ERR_CONFLICT, "its file %s/lock was deleted", session_dir);
	return err_hint(err, "end its afw-supervisor if one is running (`pgrep "
			     "-af afw-supervisor` lists them), then make an "
			     "empty file in its place");
}

/* The process that held it may have removed the session since it was opened. */
static int check_still_its(const char *session_dir, int fd, struct err *err)
{
	_free_ char *path = file_join(session_dir, "lock");
	struct stat held, there;

	if (lstat(path, &there) < 0)
		return errno == ENOENT ? err_no_lock(session_dir, err)
				       : err_errno(err, "look at %s", path);
	if (fstat(fd, &held) < 0)
		return err_errno(err, "look at %s", path);
	if (held.st_dev != there.st_dev || held.st_ino != there.st_ino)
		return err_removed(err);
	return 0;
}

static int take_lock(const char *session_dir, int flags, struct err *err)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	_close_ int fd = open_lock(session_dir, O_RDWR | flags, err);

	if (fd < 0)
		return errno == ENOENT ? err_no_lock(session_dir, err) : -1;
	if (fcntl(fd, F_OFD_SETLK, &fl) == 0)
		return check_still_its(session_dir, fd, err) == 0 ? TAKE_FD(fd)
								  : -1;
	if (errno == EAGAIN || errno == EACCES)
		return err_set(err, ERR_CONFLICT,
			       "another afw is using this session");
	err_errno(err, "lock %s", session_dir);
	file_hint_locks(err);
	return -1;
}

int lock_create(const char *session_dir, struct err *err)
{
	return take_lock(session_dir, O_CREAT, err);
}

int lock_acquire(const char *session_dir, struct err *err)
{
	return take_lock(session_dir, 0, err);
}

int lock_acquire_soon(const char *session_dir, struct err *err)
{
	int64_t end = clock_mono_ms() + LOCK_SOON_MS;
	struct err why = {0};
	int fd;

	while ((fd = lock_acquire(session_dir, &why)) < 0 &&
	       why.kind == ERR_CONFLICT && clock_mono_ms() < end)
		poll(NULL, 0, POLL_MS);
	if (fd < 0 && err)
		*err = why;
	return fd;
}

int lock_check(const char *session_dir, struct err *err)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	_close_ int fd = open_lock(session_dir, O_RDONLY, err);

	/* If the file was deleted, its supervisor still holds its place. */
	if (fd < 0)
		return errno == ENOENT ? board_is_held(session_dir) : -1;
	if (fcntl(fd, F_OFD_GETLK, &fl) < 0)
		return err_errno(err, "look at the lock of %s", session_dir);
	return fl.l_type != F_UNLCK;
}

bool lock_is_held(const char *session_dir)
{
	return lock_check(session_dir, NULL) != 0;
}
