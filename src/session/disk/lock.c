/* lock.c - a lock that says who may write, and who is alive. */
#include "session/disk/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "session/live/recall.h"
#include "session/state.h"

#define LOOK_MS 5

static int open_lock(const char *session_dir, int flags, struct err *err)
{
	char *path = file_join(session_dir, "lock");
	int fd = file_open(AT_FDCWD, path, flags, err);

	free(path); /* errno stays: free(3) */
	return fd;
}

static int gone(struct err *err)
{
	return err_set(err, ERR_NO_SESSION,
		       "another afw has removed it meanwhile");
}

/* Who held it may have removed the session since we opened it. */
static int check_still_its(const char *session_dir, int fd, struct err *err)
{
	char *path = file_join(session_dir, "lock");
	struct stat held, there;
	int rc = 0;

	if (lstat(path, &there) < 0)
		rc = errno == ENOENT ? gone(err)
				     : err_errno(err, "look at %s", path);
	else if (fstat(fd, &held) < 0)
		rc = err_errno(err, "look at %s", path);
	else if (held.st_dev != there.st_dev || held.st_ino != there.st_ino)
		rc = gone(err);
	free(path);
	return rc;
}

/* The supervisor that state.json names, where it lives: 0, or its pid. Who has
 * deleted its lock has not ended it. */
static pid_t living(const char *session_dir)
{
	struct state state;
	pid_t pid = 0;

	if (state_load(&state, session_dir, NULL) < 0)
		return 0;
	if (state.supervisor_pid != getpid() &&
	    recall_runs(state.supervisor_pid, session_dir))
		pid = state.supervisor_pid;
	state_finish(&state);
	return pid;
}

static int check_alone(const char *session_dir, struct err *err)
{
	pid_t pid = living(session_dir);

	if (!pid)
		return 0;
	err_set(err, ERR_CONFLICT,
		"its lock was deleted, but its supervisor (pid %d) lives",
		(int)pid);
	return err_hint(err,
			"`afw stop %s` ends it; if that fails, `kill %d` "
			"does",
			strrchr(session_dir, '/') + 1, (int)pid);
}

int lock_take(const char *session_dir, struct err *err)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_lock(session_dir, O_RDWR | O_CREAT, err);

	if (fd < 0)
		return errno == ENOENT ? gone(err) : -1;
	if (fcntl(fd, F_OFD_SETLK, &fl) == 0) {
		if (check_still_its(session_dir, fd, err) == 0 &&
		    check_alone(session_dir, err) == 0)
			return fd;
	} else if (errno == EAGAIN || errno == EACCES) {
		err_set(err, ERR_CONFLICT,
			"another afw is at work on this session");
	} else {
		err_errno(err, "lock %s", session_dir);
		file_hint_locks(err);
	}
	close(fd);
	return -1;
}

int lock_take_soon(const char *session_dir, struct err *err)
{
	int64_t end = clock_mono_ms() + LOCK_SOON_MS;
	struct err why = {0};
	int fd;

	while ((fd = lock_take(session_dir, &why)) < 0 &&
	       why.kind == ERR_CONFLICT && clock_mono_ms() < end)
		poll(NULL, 0, LOOK_MS);
	if (fd < 0 && err)
		*err = why;
	return fd;
}

int lock_look(const char *session_dir, struct err *err)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = open_lock(session_dir, O_RDONLY, err), rc;

	if (fd < 0)
		return errno == ENOENT ? living(session_dir) > 0 : -1;
	if (fcntl(fd, F_OFD_GETLK, &fl) < 0)
		rc = err_errno(err, "look at the lock of %s", session_dir);
	else
		rc = fl.l_type != F_UNLCK;
	close(fd);
	return rc;
}

bool lock_is_held(const char *session_dir)
{
	return lock_look(session_dir, NULL) != 0;
}
