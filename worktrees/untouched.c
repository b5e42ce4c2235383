/* untouched.c - whether anything in a directory has changed since a moment. */
#include "worktrees/untouched.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_DEPTH 200
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

void untouched_now(int dir, struct timespec *now)
{
	struct stat st;

	if (futimens(dir, NULL) == 0 && fstat(dir, &st) == 0)
		*now = st.st_mtim;
	else
		clock_gettime(CLOCK_REALTIME, now);
}

static bool is_before(const struct timespec *t, const struct timespec *end)
{
	return t->tv_sec != end->tv_sec ? t->tv_sec < end->tv_sec
					: t->tv_nsec <= end->tv_nsec;
}

struct look {
	const struct timespec *end;
	bool deep;
};

static bool all_before(int fd, const struct look *l, int depth);

static bool name_before(int dir, const char *name, const struct look *l,
			int depth)
{
	struct stat st;
	int sub;

	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !is_before(&st.st_ctim, l->end))
		return false;
	if (!S_ISDIR(st.st_mode))
		return true;
	if (depth >= MAX_DEPTH)
		return l->deep;
	sub = openat(dir, name, DIR_FLAGS);
	return sub >= 0 && all_before(sub, l, depth + 1);
}

/* Takes fd over. */
static bool all_before(int fd, const struct look *l, int depth)
{
	struct stat st;
	bool before = fstat(fd, &st) == 0 && is_before(&st.st_mtim, l->end);
	DIR *d = before ? fdopendir(fd) : NULL;
	struct dirent *e;

	if (!d) {
		close(fd);
		return false;
	}
	while (before && (errno = 0, e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			before = name_before(dirfd(d), e->d_name, l, depth);
	before = before && errno == 0;
	closedir(d);
	return before;
}

bool untouched_since(int dir, const struct timespec *moment, bool deep)
{
	const struct look l = {moment, deep};

	return dir >= 0 && all_before(dir, &l, 0);
}
