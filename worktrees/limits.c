/*
 * limits.c - limits what reading a tree may cost, between libgit2 and open(2):
 * worktree_main.c defines open(), open64() and opendir(), which come before the
 * C library's, and they call this.
 *
 * An agent can put anything in the place of a file that libgit2 reads: a FIFO,
 * which libgit2 opens, and waits for a writer; a .gitattributes of any size,
 * for which it uses 22 times as much memory; a link to the files of others.
 * libgit2 has no option for this and no callback, and what is checked before
 * libgit2 opens it can be another file by then. So the descriptor that libgit2
 * is about to read is checked, after open(2) and before libgit2 has it.
 *
 * All else is passed on unchanged. A file that is refused is absent for
 * libgit2: limits_check() then fails the request, and names the file. If a
 * libgit2 did not call these functions, test_worktree_status.c would fail; the
 * limits of time and memory (request.c) do not depend on them.
 */
#include "worktrees/limits.h"

#include <asm/unistd.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define GIT_FILE_MAX (4 * 1024 * 1024)

static atomic_flag taken = ATOMIC_FLAG_INIT;
static atomic_bool refused;
static char what[PATH_MAX + 64]; /* of the first */
static atomic_flag unread_taken = ATOMIC_FLAG_INIT;
static atomic_int unread_errno;
static char unread[PATH_MAX]; /* the first */
static struct rlimit before;
static atomic_int failed;
static const char *no_links;
static char users[2][PATH_MAX]; /* git's files of the user */

static void record_refusal(const char *path, const char *why)
{
	if (atomic_flag_test_and_set(&taken))
		return;
	snprintf(what, sizeof what, "%s: %s", path, why);
	atomic_store(&refused, true);
}

int limits_check_size(const char *path, off_t bytes)
{
	if (bytes <= GIT_FILE_MAX)
		return 0;
	record_refusal(path, "it is larger than 4 MiB");
	return -1;
}

/* Returns the errno that the file is refused with, or 0. */
static int check_file(int fd, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	bool gits = strncmp(name, ".git", 4) == 0;
	struct stat st;

	if (fstat(fd, &st) < 0)
		return 0;
	if (S_ISFIFO(st.st_mode)) {
		if (gits)
			record_refusal(path, "it is a FIFO");
		return EINVAL;
	}
	return gits && S_ISREG(st.st_mode) &&
		       limits_check_size(path, st.st_size) < 0
		   ? EFBIG
		   : 0;
}

/* True if errno is a reason for which libgit2 will find nothing. */
static bool is_system_error(const char *path)
{
	return errno == EMFILE || errno == ENFILE || errno == ENOSPC ||
	       errno == EDQUOT || errno == EIO || errno == ENOMEM ||
	       (errno == EACCES && strstr(path, "/objects/"));
}

void limits_no_links(const char *dir)
{
	no_links = dir;
}

/* Opens it one directory at a time. */
static int open_by_parts(const char *path, int flags, mode_t mode)
{
	const char *last;
	int dir, fd;

	if (strncmp(path, "../", 3) == 0 || strstr(path, "/../")) {
		errno = EXDEV;
		return -1;
	}
	dir = file_open_parent(AT_FDCWD, no_links, path, 0, &last);
	fd = dir < 0 ? -1
		     : openat(dir, *last ? last : ".",
			      flags | O_NOFOLLOW | O_CLOEXEC, mode);
	file_close(dir);
	return fd;
}

static int open_no_links(const char *path, int flags, mode_t mode)
{
	struct open_how how = {.flags = (unsigned)flags | O_CLOEXEC,
			       .mode = flags & O_CREAT ? mode : 0,
			       .resolve =
				   RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
	int dir = openat(AT_FDCWD, no_links, O_PATH | O_CLOEXEC);
	int fd = dir < 0
		     ? -1
		     : (int)syscall(__NR_openat2, dir, path, &how, sizeof how);

	file_close(dir);
	/* An old kernel has no openat2(2), an old container denies it. */
	return fd < 0 && (errno == ENOSYS || errno == EPERM)
		   ? open_by_parts(path, flags, mode)
		   : fd;
}

/* Returns the part of path that is below no_links, or NULL. */
static const char *part_below(const char *path)
{
	size_t len = no_links ? strlen(no_links) : 0;

	if (len == 0 || strncmp(path, no_links, len) != 0 || path[len] != '/')
		return NULL;
	return path + len + strspn(path + len, "/");
}

void limits_follow(size_t i, const char *path)
{
	if (strcmp(users[i], path) != 0) /* other threads read it */
		snprintf(users[i], sizeof users[i], "%s", path);
}

/* True for a file of a worktree that git reads only if it is no link. */
static bool is_not_followed(const char *path)
{
	static const char *const names[] = {"/.gitignore", "/.gitattributes",
					    "/.gitmodules"};
	const char *name = strrchr(path, '/');
	bool is = false;

	for (size_t i = 0; name && !is && i < 3; i++)
		is = strcmp(name, names[i]) == 0;
	return is && strcmp(path, users[0]) != 0 && strcmp(path, users[1]) != 0;
}

int limits_open(const char *path, int flags, mode_t mode)
{
	const char *inner = part_below(path);
	bool reads = (flags & (O_ACCMODE | O_CREAT | O_PATH)) == O_RDONLY;
	int fd, why;

	if (reads)
		flags |= O_NONBLOCK;
	if (reads && is_not_followed(path))
		flags |= O_NOFOLLOW;
	fd = inner ? open_no_links(inner, flags, mode)
		   : openat(AT_FDCWD, path, flags, mode);
	if (fd < 0 && is_system_error(path))
		atomic_store(&failed, errno);
	why = fd >= 0 && reads ? check_file(fd, path) : 0;
	if (!why)
		return fd;
	close(fd);
	errno = why;
	return -1;
}

DIR *limits_opendir(const char *path)
{
	int fd = openat(AT_FDCWD, path,
			O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	int why = errno;

	if (d)
		return d;
	if (why != ENOENT && why != ENOTDIR &&
	    !atomic_flag_test_and_set(&unread_taken)) {
		snprintf(unread, sizeof unread, "%s", path);
		atomic_store(&unread_errno, why);
	}
	file_close(fd);
	errno = why;
	return NULL;
}

int limits_check_dirs(struct err *err)
{
	errno = atomic_load(&unread_errno);
	return errno ? err_errno(err, "open directory %s", unread) : 0;
}

int limits_errno(void)
{
	return atomic_load(&failed);
}

int limits_check(struct err *err)
{
	if (!atomic_load(&refused))
		return 0;
	err_set(err, ERR_FAILED, "git's file %s", what);
	return err_hint(err, "inspect it there, and move it away");
}

void limits_drop_file(void)
{
	atomic_store(&refused, false);
	atomic_flag_clear(&taken);
}

void limits_memory(uint64_t bytes)
{
#ifdef __SANITIZE_ADDRESS__
	(void)bytes; /* it maps terabytes that it never uses */
#else
	struct rlimit limit;

	if (getrlimit(RLIMIT_DATA, &before) < 0 || before.rlim_cur <= bytes)
		return;
	limit = before;
	limit.rlim_cur = bytes;
	setrlimit(RLIMIT_DATA, &limit);
#endif
}

void limits_lift(void)
{
	alarm(0);
	if (before.rlim_cur)
		setrlimit(RLIMIT_DATA, &before);
}
