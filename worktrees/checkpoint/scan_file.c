/* scan_file.c - reads a file of a worktree, byte for byte. */
#include "worktrees/checkpoint/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"

unsigned scan_mode(const struct stat *st)
{
	return S_ISLNK(st->st_mode)    ? GIT_FILEMODE_LINK
	       : !S_ISREG(st->st_mode) ? GIT_FILEMODE_UNREADABLE
	       : st->st_mode & S_IXUSR ? GIT_FILEMODE_BLOB_EXECUTABLE
				       : GIT_FILEMODE_BLOB;
}

bool scan_may_not(void)
{
	return errno == EACCES || errno == EPERM || errno == ENOENT ||
	       errno == ELOOP || errno == ENXIO;
}

static int read_link(int dir, const char *name, struct buf *text)
{
	ssize_t n = readlinkat(dir, name, buf_room(text, PATH_MAX), PATH_MAX);

	if (n < 0)
		return -1;
	text->len += (size_t)n;
	text->data[text->len] = '\0';
	return 0;
}

static int read_file(int dir, const char *name, int64_t max, struct buf *text,
		     struct stat *st)
{
	_close_ int fd =
	    openat(dir, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fstat(fd, st) < 0)
		return -1;
	if (!S_ISREG(st->st_mode)) {
		errno = EFBIG;
		return -1;
	}
	return file_read_fd(fd, (size_t)max, text);
}

int scan_read(int dir, const char *name, int64_t max, struct buf *text,
	      struct stat *st, struct err *err)
{
	buf_clear(text);
	buf_adds(text, "");
	if (fstatat(dir, name, st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 1 : err_errno(err, "read %s", name);
	errno = EFBIG;
	if (!scan_mode(st) || st->st_size > max)
		return 1;
	if ((S_ISLNK(st->st_mode) ? read_link(dir, name, text)
				  : read_file(dir, name, max, text, st)) == 0)
		return 0;
	return scan_may_not() || errno == EFBIG || errno == EINVAL
		   ? 1
		   : err_errno(err, "read %s", name);
}
