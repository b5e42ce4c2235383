/* turnstile.c - the time of the last turn, in a file under a lock. */
#include "session/live/turnstile.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/mem.h"
#include "session/disk/dirs.h"

#define LOCK_MS	 50	/* it is held for less than one */
#define AHEAD_MS 600000 /* a turn that far away was taken by another clock */

char *turnstile_path(const char *name)
{
	_free_ char *dir = dirs_runtime(NULL);

	return dir ? mem_printf("%s/%s", dir, name) : NULL;
}

static int open_locked(const char *path)
{
	struct flock fl = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	int fd = file_open(AT_FDCWD, path, O_RDWR | O_CREAT, NULL);

	for (int i = 0; fd >= 0 && fcntl(fd, F_OFD_SETLK, &fl) < 0; i++) {
		if (i == LOCK_MS)
			file_reset(&fd);
		else
			poll(NULL, 0, 1);
	}
	return fd;
}

int64_t turnstile_pass(const char *name, int64_t gap_ms)
{
	_free_ char *path = turnstile_path(name);
	_close_ int fd = path ? open_locked(path) : -1;
	int64_t now = clock_wall_ms(), at = now;
	long long last;
	char text[24] = "";

	if (fd < 0)
		return 0;
	if (pread(fd, text, sizeof text - 1, 0) > 0 &&
	    sscanf(text, "%20lld", &last) == 1 && last > now - gap_ms &&
	    last < now + AHEAD_MS)
		at = last + gap_ms;
	snprintf(text, sizeof text, "%020lld\n", (long long)at);
	if (pwrite(fd, text, 21, 0) != 21)
		return 0;
	return at - now;
}
