/*
 * unborn.c - a session's directory until its specification is in it.
 *
 * Who sweeps takes the lock, renames the directory and only then deletes: a
 * run which has just made one either has the lock first, or finds that the
 * directory is not there any more once it has it, and makes another.
 */
#include "session/unborn.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/random.h"
#include "session/dirs.h"
#include "session/lock.h"

#define PREFIX ".new-"
#define DIGITS "0123456789abcdef"
#define TRIES  100

static bool is_called(const char *name, const char *prefix)
{
	size_t len = strlen(prefix);

	return strncmp(name, prefix, len) == 0 &&
	       strlen(name) == len + SPEC_ID_LEN &&
	       strspn(name + len, DIGITS) == SPEC_ID_LEN;
}

char *unborn_dir(const char *id, struct err *err)
{
	char name[sizeof PREFIX + SPEC_ID_LEN];

	snprintf(name, sizeof name, PREFIX "%s", id);
	return dirs_session(name, err);
}

/* Takes the lock, of a directory that is still there. */
static int hold(const char *dir, struct err *err)
{
	int lock = lock_take(dir, err);

	if (lock >= 0 && access(dir, F_OK) < 0) {
		err_errno(err, "make %s", dir);
		close(lock);
		lock = -1;
	}
	return lock;
}

int unborn_make(char id[SPEC_ID_LEN + 1], struct err *err)
{
	int lock = -1;

	unborn_sweep(true);
	for (int i = 0; i < TRIES && lock < 0; i++) {
		char *dir;

		random_hex(id, SPEC_ID_LEN);
		dir = unborn_dir(id, err);
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
	if (lock >= 0)
		err_clear(err);
	return lock;
}

int unborn_show(const char *id, struct err *err)
{
	char *from = unborn_dir(id, err), *to = dirs_session(id, err);
	int rc = from && to ? 0 : -1;

	if (rc == 0 && rename(from, to) < 0)
		rc = err_errno(err, "make %s", to);
	free(from);
	free(to);
	return rc;
}

static int open_sessions(void)
{
	char *path = dirs_sessions(NULL);
	int fd = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;

	free(path);
	return fd;
}

void unborn_drop(const char *id)
{
	char name[sizeof PREFIX + SPEC_ID_LEN];
	int fd = open_sessions();

	snprintf(name, sizeof name, PREFIX "%s", id);
	if (fd >= 0) {
		delete_tree(fd, name, NULL);
		close(fd);
	}
}

/* Whether name was one that nobody holds; apply: deletes it. */
static bool sweep_one(int sessions, const char *name, bool apply)
{
	char *dir = dirs_session(name, NULL);
	char swept[sizeof UNBORN_SWEPT + SPEC_ID_LEN];
	bool left = dir && !lock_is_held(dir);
	int lock = left && apply ? lock_take(dir, NULL) : -1;

	snprintf(swept, sizeof swept, UNBORN_SWEPT "%s", name + strlen(PREFIX));
	if (apply)
		left = lock >= 0 &&
		       renameat(sessions, name, sessions, swept) == 0 &&
		       delete_tree(sessions, swept, NULL) == 0;
	if (lock >= 0)
		close(lock);
	free(dir);
	return left;
}

size_t unborn_sweep(bool apply)
{
	int fd = open_sessions();
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;
	size_t n = 0;

	if (!d && fd >= 0)
		close(fd);
	while (d && (e = readdir(d))) {
		if (is_called(e->d_name, PREFIX))
			n += sweep_one(fd, e->d_name, apply);
		else if (is_called(e->d_name, UNBORN_SWEPT))
			n += !apply || delete_tree(fd, e->d_name, NULL) == 0;
	}
	if (d)
		closedir(d);
	return n;
}
