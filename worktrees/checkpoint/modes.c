/*
 * modes.c - permissions that git's trees do not have. A file that a user or an
 * agent has made private must not be readable for others after an undo. The
 * usual permissions, which the umask decides, are not listed: most lists are
 * empty.
 */
#include "worktrees/checkpoint/modes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"

#define PATH_AT 5 /* in an entry */

static bool is_usual(mode_t mode)
{
	mode &= 0777;
	return mode == 0644 || mode == 0755 || mode == 0664 || mode == 0775;
}

void modes_add(struct strv *modes, const char *path, mode_t mode)
{
	if (!S_ISLNK(mode) && !is_usual(mode))
		strv_addf(modes, "%04o %s", (unsigned)mode & 0777, path);
}

const char *modes_read(const char *entry, mode_t *mode)
{
	*mode = (mode_t)strtoul(entry, NULL, 8) & 0777;
	return strlen(entry) > PATH_AT ? entry + PATH_AT : "";
}

mode_t modes_find(const struct strv *modes, const char *path)
{
	mode_t mode;

	for (size_t i = 0; i < modes->n; i++)
		if (strcmp(modes_read(modes->v[i], &mode), path) == 0)
			return mode;
	return 0;
}

void modes_set_dirs(const struct strv *modes, int at,
		    bool (*has)(const void *ctx, const char *path),
		    const void *ctx)
{
	for (size_t i = 0; i < modes->n; i++) {
		mode_t mode;
		const char *last, *path = modes_read(modes->v[i], &mode);
		size_t len = strlen(path);
		_free_ char *dir = mem_strndup(path, len ? len - 1 : 0);
		_close_ int up = -1, fd = -1;

		if (!len || path[len - 1] != '/' || (has && !has(ctx, dir)))
			continue;
		up = file_open_parent(at, ".", dir, 0, &last);
		/* An agent may have put a link there. */
		fd = up < 0 ? -1 : openat(up, last, FILE_DIR_FLAGS);
		if (fd >= 0)
			fchmod(fd, mode);
	}
}
