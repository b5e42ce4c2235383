/*
 * remove.c - takes a session's own files away.
 *
 * Its directory is first renamed, so that no reader ever sees half a session,
 * to a name that unborn_sweep() or sweep() look for, then deleted without
 * following anything: home/ was the harness's to write.
 */
#include "session/remove.h"

#include <dirent.h>
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
#include "session/dirs.h"
#include "session/unborn.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define HEX	  8
#define DIGITS	  "0123456789abcdef"

/* "<id>-01234567", as session_remove() names what it deletes. */
static bool is_removed(const char *name)
{
	return strlen(name) == SPEC_ID_LEN + 1 + HEX &&
	       strspn(name, DIGITS) == SPEC_ID_LEN &&
	       name[SPEC_ID_LEN] == '-' &&
	       strspn(name + SPEC_ID_LEN + 1, DIGITS) == HEX;
}

/* Deletes what runs that were killed have left; two at once do no harm. */
static size_t sweep(int trash, bool apply)
{
	int fd = openat(trash, ".", DIR_FLAGS);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	size_t n = 0;

	if (!d && fd >= 0)
		close(fd);
	while (d && (e = readdir(d))) {
		if (!is_removed(e->d_name))
			continue;
		n++;
		if (apply)
			delete_tree(trash, e->d_name, NULL);
	}
	if (d)
		closedir(d);
	return n;
}

size_t session_remove_unfinished(bool apply)
{
	char *data = dirs_data(NULL);
	char *path = data ? file_join(data, "trash") : NULL;
	int trash = path ? open(path, DIR_FLAGS) : -1;
	size_t n = trash >= 0 ? sweep(trash, apply) : 0;

	if (trash >= 0)
		close(trash);
	free(path);
	free(data);
	return n;
}

int session_remove_dir(const char *dir, const char *id, struct err *err)
{
	char name[SPEC_ID_LEN + 16], hex[HEX + 1];
	char *from = mem_strndup(dir, (size_t)(strrchr(dir, '/') - dir));
	bool trashed = strcmp(strrchr(from, '/'), "/trash") == 0;
	int fd = open(from, DIR_FLAGS), rc = 0;

	/* Beside it: the way back of `afw new` on a full disk makes nothing. */
	random_hex(hex, HEX);
	if (trashed)
		snprintf(name, sizeof name, "%s-%s", id, hex);
	else
		snprintf(name, sizeof name, UNBORN_SWEPT "%s", id);
	if (fd < 0)
		rc = err_errno(err, "open %s", from);
	if (rc == 0) {
		dirs_remove_sockets(id);
		if (renameat(fd, id, fd, name) < 0)
			rc = err_errno(err, "move %s away", dir);
	}
	if (rc == 0) {
		rc = delete_tree(fd, name, err);
		if (rc < 0)
			err_prefix(err, "clean up %s", from);
		if (trashed)
			sweep(fd, true);
	}
	if (fd >= 0)
		close(fd);
	free(from);
	return rc;
}

int session_remove(const struct session *s, struct err *err)
{
	return session_remove_dir(s->dir, s->spec.id, err);
}
