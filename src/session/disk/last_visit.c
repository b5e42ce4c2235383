/* last_visit.c - stores the time as the mtime of an empty file. */
#include "session/disk/last_visit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "session/disk/dirs.h"

static char *left_path(void)
{
	_free_ char *data = dirs_data(NULL);

	return data ? file_join(data, "dashboard.left") : NULL;
}

void last_visit_set(void)
{
	_free_ char *path = left_path();
	_close_ int fd =
	    path ? file_open(AT_FDCWD, path, O_WRONLY | O_CREAT, NULL) : -1;

	if (fd >= 0)
		futimens(fd, NULL);
}

int64_t last_visit_get(void)
{
	_free_ char *path = left_path();
	struct stat st;

	if (!path || lstat(path, &st) < 0 || !S_ISREG(st.st_mode))
		return -1;
	return (int64_t)st.st_mtim.tv_sec * 1000 + st.st_mtim.tv_nsec / 1000000;
}
