/* leaving.c - a directory that is renamed away to be deleted. */
#include "base/leaving.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/random.h"

#define PREFIX	  ".removed-"
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

void leaving_name(char out[LEAVING_SIZE])
{
	char hex[LEAVING_HEX + 1];

	random_hex(hex, LEAVING_HEX);
	snprintf(out, LEAVING_SIZE, PREFIX "%s", hex);
}

bool leaving_is(const char *name)
{
	size_t len = strlen(PREFIX);

	return strncmp(name, PREFIX, len) == 0 &&
	       strlen(name) == LEAVING_SIZE - 1 &&
	       strspn(name + len, "0123456789abcdef") == LEAVING_HEX;
}

int leaving_hold(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, DIR_FLAGS);

	if (fd >= 0)
		(void)flock(fd, LOCK_EX | LOCK_NB);
	return fd;
}

bool leaving_is_held(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, DIR_FLAGS);
	bool held = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0;

	if (fd >= 0)
		close(fd);
	return held;
}

/* Of a directory that cannot be opened nobody can tell: its owner has closed
 * it (delete_tree() opens it), and it is not being looked at. */
int leaving_delete(int dirfd, const char *name, struct err *err)
{
	int fd = openat(dirfd, name, DIR_FLAGS), r = 1;

	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) == 0)
		r = delete_tree(dirfd, name, err);
	if (fd >= 0)
		close(fd);
	return r;
}
