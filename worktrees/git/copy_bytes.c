/* copy_bytes.c - copies the bytes of one file into another. */
#include "worktrees/git/copy_bytes.h"

#include <errno.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/file.h"

int copy_bytes(int in, int out, char *room, bool in_kernel, bool no_cr)
{
	ssize_t n = 1;

	/* A file system with reflinks copies nothing. */
	if (in_kernel && ioctl(out, FICLONE, in) == 0)
		return 0;
	while (in_kernel && n > 0)
		n = copy_file_range(in, NULL, out, NULL, 1 << 30, 0);
	/* the rest that the kernel did not copy */
	while ((n = read(in, room, COPY_BYTES_ROOM)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || (no_cr && memchr(room, '\r', (size_t)n)))
			return 1;
		if (file_write_all(out, room, (size_t)n) < 0)
			return -1;
	}
	return 0;
}
