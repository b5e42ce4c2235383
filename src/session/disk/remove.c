/*
 * remove.c - takes a session's own files away.
 *
 * Its directory is first renamed, so that no reader ever sees half a session,
 * to a name that session_remove_sweep() looks for, then deleted without
 * following anything: home/ was the harness's to write.
 */
#include "session/disk/remove.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "session/disk/dirs.h"

size_t session_remove_sweep(const char *dir, bool apply)
{
	DIR *d = file_list(AT_FDCWD, dir);
	const char *name;
	size_t n = 0;

	while ((name = file_list_next(d)))
		if (random_is_named(name, SESSION_REMOVED, SPEC_ID_LEN))
			n += !apply || delete_tree(dirfd(d), name, NULL) == 0;
	file_list_end(d);
	return n;
}

size_t session_remove_unfinished(bool apply)
{
	char *trash = dirs_trash(NULL);
	size_t n = trash ? session_remove_sweep(trash, apply) : 0;

	free(trash);
	return n;
}

int session_remove_dir(const char *dir, const char *id, struct err *err)
{
	char name[sizeof SESSION_REMOVED + SPEC_ID_LEN];
	char *from = mem_strndup(dir, (size_t)(strrchr(dir, '/') - dir));
	int fd = open(from, FILE_DIR_FLAGS), rc = 0;

	/* Beside it: the way back of `afw new` on a full disk makes nothing. */
	snprintf(name, sizeof name, SESSION_REMOVED "%s", id);
	if (fd < 0)
		rc = err_errno(err, "open %s", from);
	if (rc == 0) {
		dirs_remove_sockets(id);
		if (renameat(fd, id, fd, name) < 0)
			rc = err_errno(err, "move %s away", dir);
	}
	if (rc == 0 && delete_tree(fd, name, err) < 0)
		rc = err_prefix(err, "clean up %s", from);
	if (strcmp(strrchr(from, '/'), "/trash") == 0)
		session_remove_sweep(from, true);
	file_close(fd);
	free(from);
	return rc;
}

int session_remove(const struct session *s, struct err *err)
{
	return session_remove_dir(s->dir, s->spec.id, err);
}
