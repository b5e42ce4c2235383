/* file_lock.c - a lock that is held for a moment only. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>

#include "base/clock.h"
#include "base/file.h"

int file_lock(int fd, int64_t wait_ms)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int64_t end = clock_mono_ms() + wait_ms;

	while (fcntl(fd, F_OFD_SETLK, &fl) < 0) {
		if (errno != EAGAIN && errno != EACCES)
			return -1;
		if (clock_mono_ms() >= end) {
			errno = EAGAIN;
			return -1;
		}
		poll(NULL, 0, 2);
	}
	return 0;
}
