/* groups.c - the groups of a session, as names in a directory. */
#include "session/disk/groups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/name.h"
#include "session/spec.h"

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
	char *path = file_join(session_dir, "groups");
	DIR *d = file_list(AT_FDCWD, path);
	const char *name;

	free(path);
	while ((name = file_list_next(d)) && out->n < GROUPS_MAX)
		if (name_check(name, NULL) == 0)
			strv_add(out, name);
	file_list_end(d);
	strv_sort(out);
}

static char *path_of(const char *session_dir, const char *group)
{
	return mem_printf("%s/groups/%s", session_dir, group);
}

bool groups_has(const char *session_dir, const char *group)
{
	char *path = path_of(session_dir, group);
	bool yes = access(path, F_OK) == 0;

	free(path);
	return yes;
}

/* Who watches the session's directory is told (tui/watch.c). */
static void tell(int dir)
{
	if (dir >= 0)
		futimens(dir, NULL);
}

int groups_join(const char *session_dir, const char *group, struct err *err)
{
	char *path = file_join(session_dir, "groups");
	struct strv now = {0};
	int dir = -1, fd = -1, rc = -1;

	if (groups_check(group, err) < 0)
		goto out;
	groups_load(session_dir, &now);
	if (now.n >= GROUPS_MAX && !groups_has(session_dir, group)) {
		err_set(err, ERR_LIMIT, "it is in %d groups already",
			GROUPS_MAX);
		goto out;
	}
	if (file_private_dir(path, err) < 0)
		goto out;
	dir = open(path, FILE_DIR_FLAGS);
	if (dir >= 0)
		fd = file_open(dir, group, O_WRONLY | O_CREAT, NULL);
	if (fd < 0 || fsync(dir) < 0)
		err_errno(err, "write %s/%s", path, group);
	else
		rc = 0;
	tell(dir);
out:
	file_close(fd);
	file_close(dir);
	strv_finish(&now);
	free(path);
	return rc;
}

int groups_leave(const char *session_dir, const char *group, struct err *err)
{
	char *path = file_join(session_dir, "groups");
	int dir, rc = groups_check(group, err);

	if (rc == 0) {
		dir = open(path, FILE_DIR_FLAGS);
		if ((dir < 0 || unlinkat(dir, group, 0) < 0 ||
		     fsync(dir) < 0) &&
		    errno != ENOENT)
			rc = err_errno(err, "remove %s/%s", path, group);
		tell(dir);
		file_close(dir);
	}
	free(path);
	return rc;
}
