/* groups.c - the groups of a session, as names in a directory. */
#include "session/disk/groups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/name.h"

int groups_check(const char *group, struct err *err)
{
	if (name_check(group, err) < 0) {
		err_prefix(err, "group");
		return err_hint(err, "for example: backend");
	}
	return 0;
}

void groups_load(const char *session_dir, struct strv *out)
{
	_free_ char *path = file_join(session_dir, "groups");
	_dir_ DIR *d = file_list(AT_FDCWD, path);
	const char *name;

	while ((name = file_list_next(d)) && out->n < GROUPS_MAX)
		if (name_check(name, NULL) == 0)
			strv_add(out, name);
	strv_sort(out);
}

static char *groups_path(const char *session_dir, const char *group)
{
	return mem_printf("%s/groups/%s", session_dir, group);
}

bool groups_has(const char *session_dir, const char *group)
{
	_free_ char *path = groups_path(session_dir, group);

	return access(path, F_OK) == 0;
}

/* Makes changes.c, which watches the session's directory, see the change. */
static void touch_dir(int dir)
{
	if (dir >= 0)
		futimens(dir, NULL);
}

int groups_join(const char *session_dir, const char *group, struct err *err)
{
	_free_ char *path = file_join(session_dir, "groups");
	_strv_ struct strv now = {0};
	_close_ int dir = -1, fd = -1;
	int rc = 0;

	if (groups_check(group, err) < 0)
		return -1;
	groups_load(session_dir, &now);
	if (now.n >= GROUPS_MAX && !groups_has(session_dir, group))
		return err_set(err, ERR_LIMIT, "it is in %d groups already",
			       GROUPS_MAX);
	if (file_private_dir(path, err) < 0)
		return -1;
	dir = open(path, FILE_DIR_FLAGS);
	if (dir >= 0)
		fd = file_open(dir, group, O_WRONLY | O_CREAT, NULL);
	if (fd < 0 || fsync(dir) < 0)
		rc = err_errno(err, "write %s/%s", path, group);
	touch_dir(dir);
	return rc;
}

int groups_leave(const char *session_dir, const char *group, struct err *err)
{
	_free_ char *path = file_join(session_dir, "groups");
	_close_ int dir = -1;
	int rc = 0;

	if (groups_check(group, err) < 0)
		return -1;
	dir = open(path, FILE_DIR_FLAGS);
	if ((dir < 0 || unlinkat(dir, group, 0) < 0 || fsync(dir) < 0) &&
	    errno != ENOENT)
		rc = err_errno(err, "remove %s/%s", path, group);
	touch_dir(dir);
	return rc;
}
