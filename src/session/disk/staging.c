/*
 * staging.c - a session's directory until its specification is in it.
 *
 * Who sweeps takes the lock, renames the directory and only then deletes: a
 * run which has just made one either has the lock first, or finds that the
 * directory is not there any more once it has it, and makes another.
 */
#include "session/disk/staging.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"
#include "session/disk/remove.h"

#define PREFIX ".new-"
#define TRIES  100

char *staging_dir(const char *staged, struct err *err)
{
	char name[sizeof PREFIX + SPEC_ID_LEN];

	snprintf(name, sizeof name, PREFIX "%s", staged);
	return dirs_session(name, err);
}

/* Takes the lock, of a directory that is still there. */
static int hold(const char *dir, struct err *err)
{
	int lock = lock_create(dir, err);

	if (lock >= 0 && access(dir, F_OK) < 0) {
		err_errno(err, "make %s", dir);
		file_reset(&lock);
	}
	return lock;
}

/* Its supervisor could not be reached without: found out before all else. */
static int has_socket(const char *staged, struct err *err)
{
	_free_ char *dir = staging_dir(staged, err);
	_close_ int fd = dir ? dirs_listen(dir, err) : -1;

	return fd < 0 ? -1 : 0;
}

int staging_make(char staged[SPEC_ID_LEN + 1], struct err *err)
{
	int lock = -1;

	staging_sweep(true);
	for (int i = 0; i < TRIES && lock < 0; i++) {
		char *dir;

		random_hex(staged, SPEC_ID_LEN);
		dir = staging_dir(staged, err);
		if (!dir)
			return -1;
		if (mkdir(dir, 0700) < 0) {
			err_errno(err, "make %s", dir);
			free(dir);
			return -1;
		}
		lock = hold(dir, err);
		free(dir);
	}
	if (lock >= 0 && has_socket(staged, err) < 0) {
		staging_drop(staged);
		file_reset(&lock);
	}
	if (lock >= 0)
		err_clear(err);
	return lock;
}

int staging_publish(const char *staged, const char *id, struct err *err)
{
	char *from = staging_dir(staged, err), *to = dirs_session(id, err);
	int rc = from && to ? 0 : -1;

	if (rc == 0 && rename(from, to) < 0)
		rc = err_errno(err, "make %s", to);
	free(from);
	free(to);
	return rc;
}

void staging_drop(const char *staged)
{
	char *dir = staging_dir(staged, NULL);

	if (dir)
		delete_tree(AT_FDCWD, dir, NULL);
	free(dir);
}

/* Whether name was one that nobody holds; apply: deletes it. */
static bool sweep_one(int sessions, const char *name, bool apply)
{
	char *dir = dirs_session(name, NULL);
	char swept[sizeof SESSION_REMOVED + SPEC_ID_LEN];
	bool left = dir && !lock_is_held(dir);
	int lock = left && apply ? lock_create(dir, NULL) : -1;

	snprintf(swept, sizeof swept, SESSION_REMOVED "%s",
		 name + strlen(PREFIX));
	if (apply)
		left = lock >= 0 &&
		       renameat(sessions, name, sessions, swept) == 0 &&
		       delete_tree(sessions, swept, NULL) == 0;
	file_close(lock);
	free(dir);
	return left;
}

size_t staging_sweep(bool apply)
{
	char *sessions = dirs_sessions(NULL);
	DIR *d = sessions ? file_list(AT_FDCWD, sessions) : NULL;
	const char *name;
	size_t n = d ? session_remove_sweep(sessions, apply) : 0;

	while ((name = file_list_next(d)))
		if (random_is_named(name, PREFIX, SPEC_ID_LEN))
			n += sweep_one(dirfd(d), name, apply);
	file_list_end(d);
	free(sessions);
	return n;
}
