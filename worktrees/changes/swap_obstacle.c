/* swap_obstacle.c - what is in the way of a swap's files. */
#include "worktrees/changes/swap.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"

bool swap_has_only(int at, const char *name, const char *path,
		   bool (*known)(const void *arg, const char *path),
		   const void *arg)
{
	_dir_ DIR *d = file_list(at, name);
	const char *in;

	while (d && (in = file_list_next(d))) {
		_free_ char *full = file_join(path, in);
		struct stat st;

		if (fstatat(dirfd(d), in, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return false;
		if (S_ISDIR(st.st_mode)
			? !swap_has_only(dirfd(d), in, full, known, arg)
			: !known || !known(arg, full))
			return false;
	}
	return d && errno == 0;
}

char *swap_find_obstacle(const struct swap *s, struct swap_file *f,
			 bool (*known)(const void *arg, const char *path),
			 const void *arg)
{
	const char *end = f->path;
	struct stat top, st;
	bool is_dir = fstat(s->worktree, &top) == 0, goes;

	while (is_dir && *end) {
		_free_ char *path = NULL;

		end += strcspn(end + 1, "/") + 1;
		path = mem_strndup(f->path, (size_t)(end - f->path));
		if (fstatat(s->worktree, path, &st, AT_SYMLINK_NOFOLLOW) < 0)
			return NULL;
		is_dir = S_ISDIR(st.st_mode);
		goes = known(arg, path);
		if (st.st_dev != top.st_dev || (!is_dir && !goes) ||
		    (is_dir && goes &&
		     !swap_has_only(s->worktree, path, path, known, arg)))
			return TAKE_PTR(path);
		if (is_dir && *end)
			f->there = (size_t)(end - f->path);
	}
	return NULL;
}
