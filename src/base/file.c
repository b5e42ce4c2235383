/* file.c - opens, reads and writes files and directories safely. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "base/random.h"

/* Opens a regular file; any: of any user. */
static int open_regular(int dirfd, const char *name, int flags, bool any)
{
	struct stat st;
	int fd, why = 0;

	/* O_NONBLOCK: a FIFO in a file's place must not hang us. */
	fd = openat(dirfd, name,
		    (flags & ~O_TRUNC) | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
			O_NOCTTY,
		    0600);
	if (fd < 0 && (errno == ENXIO || errno == EISDIR))
		errno = EINVAL;
	if (fd < 0)
		return -1;
	if (fstat(fd, &st) < 0)
		why = errno;
	else if (!S_ISREG(st.st_mode))
		why = EINVAL;
	else if (!any && st.st_uid != geteuid())
		why = EPERM;
	else if ((flags & O_TRUNC) && ftruncate(fd, 0) < 0)
		why = errno;
	if (!why)
		return fd;
	close(fd);
	errno = why;
	return -1;
}

static int open_failed(const char *what, const char *name, struct err *err)
{
	int why = errno;

	if (why == EINVAL || why == ELOOP)
		err_set(err, ERR_FAILED, "%s %s: it is not a regular file",
			what, name);
	else
		err_errno(err, "%s %s", what, name);
	errno = why;
	return -1;
}

int file_open(int dirfd, const char *name, int flags, struct err *err)
{
	int fd = open_regular(dirfd, name, flags, false);

	return fd < 0 ? open_failed("open", name, err) : fd;
}

int file_open_any(int dirfd, const char *name, struct err *err)
{
	int fd = open_regular(dirfd, name, O_RDONLY, true);

	return fd < 0 ? open_failed("open", name, err) : fd;
}

bool file_is_unusable(int why)
{
	return why == EINVAL || why == ELOOP || why == EFBIG;
}

int file_read_fd(int fd, size_t max, struct buf *out)
{
	size_t start = out->len;
	ssize_t n;

	do {
		size_t room = max - (out->len - start) + 1;

		if (room > 16384)
			room = 16384;
		n = read(fd, buf_room(out, room), room);
		if (n > 0)
			out->len += (size_t)n;
		out->data[out->len] = '\0';
		if (out->len - start > max) {
			errno = EFBIG;
			break;
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n == 0)
		return 0;
	out->len = start;
	out->data[start] = '\0';
	return -1;
}

int file_read(int dirfd, const char *name, size_t max, struct buf *out,
	      struct err *err)
{
	int fd = open_regular(dirfd, name, O_RDONLY, true), rc;

	if (fd < 0)
		return open_failed("read", name, err);
	rc = file_read_fd(fd, max, out);
	file_close(fd);
	return rc < 0 ? err_errno(err, "read %s", name) : 0;
}

int file_write(const char *path, const void *data, size_t len, struct err *err)
{
	int fd = open(
	    path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	int rc = 0;

	if (fd < 0 || file_write_all(fd, data, len) < 0 || fsync(fd) < 0)
		rc = err_errno(err, "write %s", path);
	file_close(fd);
	return rc;
}

int file_rename_new(int from, const char *name, int to, const char *new_name)
{
	int r = renameat2(from, name, to, new_name, RENAME_NOREPLACE);

	if (r < 0 && (errno == EINVAL || errno == ENOSYS))
		r = renameat(from, name, to, new_name);
	return r;
}

int file_write_all(int fd, const void *data, size_t len)
{
	const char *p = data;

	while (len > 0) {
		ssize_t n = write(fd, p, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

int file_in_memory(const void *data, size_t len)
{
	int fd = memfd_create("afw", MFD_CLOEXEC);

	if (fd < 0)
		return -1;
	if (file_write_all(fd, data, len) < 0 || lseek(fd, 0, SEEK_SET) != 0) {
		close(fd);
		return -1;
	}
	return fd;
}

static int replace(int dirfd, const char *name, const void *data, size_t len,
		   bool durable, struct err *err)
{
	char tmp[NAME_MAX + 1], hex[17];
	int fd, why;

	random_hex(hex, 16);
	snprintf(tmp, sizeof tmp, ".%.200s.%s", name, hex);
	fd = openat(dirfd, tmp,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return err_errno(err, "write %s", name);
	if (file_write_all(fd, data, len) < 0 || (durable && fsync(fd) < 0)) {
		file_close(fd);
		goto fail;
	}
	if (close(fd) < 0 || renameat(dirfd, tmp, dirfd, name) < 0)
		goto fail;
	if (durable && fsync(dirfd) < 0)
		return err_errno(err, "write %s", name);
	return 0;
fail:
	why = errno;
	unlinkat(dirfd, tmp, 0);
	errno = why;
	return err_errno(err, "write %s", name);
}

int file_replace(int dirfd, const char *name, const void *data, size_t len,
		 bool durable, struct err *err)
{
	const char *slash = strrchr(name, '/');
	char *dir;
	int rc;

	if (!slash)
		return replace(dirfd, name, data, len, durable, err);
	dir = mem_strndup(name, (size_t)(slash - name) + (slash == name));
	dirfd = openat(dirfd, dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	rc = dirfd < 0 ? err_errno(err, "open %s", dir)
		       : replace(dirfd, slash + 1, data, len, durable, err);
	file_close(dirfd);
	free(dir);
	return rc;
}

DIR *file_list(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, FILE_DIR_FLAGS);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;

	if (!d)
		file_close(fd);
	return d;
}

const char *file_list_next(DIR *d)
{
	struct dirent *e;

	errno = 0;
	while (d && (e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			return e->d_name;
	return NULL;
}

void file_list_end(DIR *d)
{
	if (d)
		closedir(d);
}

void file_close(int fd)
{
	int saved = errno;

	if (fd >= 0)
		close(fd);
	errno = saved;
}

int file_hint_locks(struct err *err)
{
	if (errno == ENOLCK || errno == ENOSYS || errno == EOPNOTSUPP)
		err_hint(err, "afw needs file locks, which this file system "
			      "does not have: keep the repository and "
			      "AF_DATA_DIR on a local disk");
	return -1;
}

void file_reset(int *fd)
{
	file_close(*fd);
	*fd = -1;
}

/* True for ".NAME.0123456789abcdef", as file_replace() makes them. */
static bool is_temporary(const char *name)
{
	size_t len = strlen(name);

	return name[0] == '.' && len > 18 && name[len - 17] == '.' &&
	       strspn(name + len - 16, "0123456789abcdef") == 16;
}

/* True if the file was last changed more than ms ago. */
static bool is_older(int dirfd, const char *name, int64_t ms)
{
	struct stat st;

	return ms == 0 ||
	       (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		clock_wall_ms() - (int64_t)st.st_mtime * 1000 > ms);
}

void file_sweep(int at, const char *dir, int64_t older_ms)
{
	DIR *d = file_list(at, dir);
	const char *name;

	while ((name = file_list_next(d)))
		if (is_temporary(name) && is_older(dirfd(d), name, older_ms))
			unlinkat(dirfd(d), name, 0);
	file_list_end(d);
}

/* Checks the descriptor: between an lstat and a chmod the name could change. */
static int private_dir_check(const char *path, struct err *err)
{
	struct stat st;
	int fd, rc = 0;

	fd = open(path, FILE_DIR_FLAGS);
	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return err_set(err, ERR_FAILED,
			       "use directory %s: it is not a directory", path);
	if (fd < 0 || fstat(fd, &st) < 0)
		rc = err_errno(err, "use directory %s", path);
	else if (st.st_uid != geteuid())
		rc = err_set(
		    err, ERR_FAILED,
		    "use directory %s: it belongs to another user (uid %u)",
		    path, st.st_uid);
	else if ((st.st_mode & 077) && fchmod(fd, 0700) < 0)
		rc = err_errno(err, "close directory %s to others", path);
	file_close(fd);
	return rc;
}

int file_make_dirs(char *path, mode_t mode)
{
	for (char *slash = path;; *slash = '/') {
		slash = strchr(slash + 1, '/');
		if (slash)
			*slash = '\0';
		if (mkdir(path, mode) < 0 && errno != EEXIST)
			return -1;
		if (!slash)
			return 0;
	}
}

int file_private_dir(const char *path, struct err *err)
{
	char *copy = mem_strdup(path);
	size_t len = strlen(copy);
	int rc = 0;

	/* "link/" would be the directory behind the link. */
	while (len > 1 && copy[len - 1] == '/')
		copy[--len] = '\0';
	if (mkdir(copy, 0700) < 0 && errno != EEXIST &&
	    file_make_dirs(copy, 0700) < 0)
		rc = err_errno(err, "make directory %s", copy);
	if (rc == 0)
		rc = private_dir_check(copy, err);
	free(copy);
	return rc;
}

char *file_join(const char *dir, const char *name)
{
	return mem_printf("%s/%s", strcmp(dir, "/") == 0 ? "" : dir, name);
}

bool file_is_below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	return strncmp(path, dir, len) == 0 &&
	       (path[len] == '/' || path[len] == '\0');
}

char *file_map(const char *path, const struct strv *places)
{
	for (size_t i = 0; places && i + 1 < places->n; i += 2)
		if (file_is_below(path, places->v[i]))
			return mem_printf("%s%s", places->v[i + 1],
					  path + strlen(places->v[i]));
	return mem_strdup(path);
}

int file_open_parent(int at, const char *dir, const char *name, mode_t make,
		     const char **last)
{
	const char *end;
	int next;

	at = openat(at, dir, FILE_DIR_FLAGS);
	for (; at >= 0 && (end = strchr(name, '/')); name = end + 1) {
		char *part = mem_strndup(name, (size_t)(end - name));

		if (make && mkdirat(at, part, make) < 0 && errno != EEXIST)
			next = -1;
		else
			next = openat(at, part, FILE_DIR_FLAGS);
		file_close(at);
		free(part);
		at = next;
	}
	*last = name;
	return at;
}

char *file_temporary(const char *text, size_t len, const char *suffix,
		     struct err *err)
{
	const char *dir = getenv("TMPDIR");
	char *path = mem_printf("%s/afw-XXXXXX%s",
				dir && *dir == '/' ? dir : "/tmp", suffix);
	int fd = mkostemps(path, (int)strlen(suffix), O_CLOEXEC);

	if (fd >= 0 && file_write_all(fd, text, len) == 0) {
		file_close(fd);
		return path;
	}
	err_errno(err, "write %s", path);
	if (fd >= 0)
		unlink(path);
	file_close(fd);
	free(path);
	return NULL;
}

char *file_program_dir(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

	if (n < 0)
		return mem_strdup(".");
	path[n] = '\0';
	return mem_strdup(dirname(path));
}

void file_open_standard(void)
{
	for (int fd = 0; fd <= 2; fd++)
		/* open() returns the lowest free number: those before it are
		 * open. */
		if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
		    open("/dev/null", fd == 1 ? O_RDONLY : O_RDWR) != fd)
			abort();
}

int file_set_nonblock(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	return flags < 0 ? -1 : fcntl(fd, F_SETFL, flags | O_NONBLOCK);
}

int file_set_cloexec(int fd, bool on)
{
	return fcntl(fd, F_SETFD, on ? FD_CLOEXEC : 0);
}
