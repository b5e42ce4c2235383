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

/* If the umask lets others read, also those of other users who do so. */
static bool is_usual(mode_t mode, mode_t mask)
{
	mode &= 0777;
	return mode == (0666 & ~mask) || mode == (0777 & ~mask) ||
	       (!(mask & 044) &&
		(mode == 0644 || mode == 0755 || mode == 0664 || mode == 0775));
}

void modes_add(struct strv *modes, const char *path, mode_t mode, mode_t mask)
{
	if (!S_ISLNK(mode) && !is_usual(mode, mask))
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

/* mode 0: the usual ones. */
static void restore(const struct modes *m, const char *path, mode_t mode,
		    struct strv *list)
{
	size_t len = strlen(path);
	bool is_dir = len && path[len - 1] == '/';
	_free_ char *plain = mem_strndup(path, len - is_dir);
	const char *last;
	_close_ int up = file_open_parent(m->at, ".", plain, 0, &last);
	struct stat st;

	if (up < 0 || fstatat(up, last, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    (is_dir ? !S_ISDIR(st.st_mode) : !S_ISREG(st.st_mode)) ||
	    (!mode && is_usual(st.st_mode, m->umask)))
		return;
	if (!mode)
		mode =
		    (is_dir || st.st_mode & S_IXUSR ? 0777 : 0666) & ~m->umask;
	if ((st.st_mode & 0777) == mode ||
	    (m->has && !m->has(m->ctx, path, list != NULL)))
		return;
	if (list)
		strv_add(list, path);
	else
		fchmodat(up, last, mode, AT_SYMLINK_NOFOLLOW);
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void modes_restore(const struct modes *m, const struct strv *had,
		   const struct strv *want, struct strv *list)
{
	mode_t mode;

	for (size_t i = 0; i < want->n; i++) {
		const char *path = modes_read(want->v[i], &mode);

		restore(m, path, mode, list);
	}
	for (size_t i = 0; i < had->n; i++) {
		const char *path = modes_read(had->v[i], &mode);

		if (!(want->n && bsearch(&had->v[i], want->v, want->n,
					 sizeof *want->v, compare)) &&
		    !modes_find(want, path))
			restore(m, path, 0, list);
	}
}
