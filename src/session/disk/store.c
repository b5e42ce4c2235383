/*
 * store.c - where a session's directory is: being made, among the sessions, in
 * the trash, or being deleted.
 *
 * One rename moves it, so no reader ever sees half a session. A directory that
 * will be deleted first gets a name that readers ignore (SESSION_REMOVED); by
 * this name a later run finds what a killed run has left. No symbolic link in
 * it is followed, because the harness could write to home/.
 *
 * An unfinished new directory is found the same way. A sweep takes its lock,
 * renames it and only then deletes it: a run that has just created it either
 * has the lock first, or finds that the directory is gone and creates another.
 *
 * trash.json is written before the session is moved there, so that what is in
 * the trash has one.
 */
#include "session/disk/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/delete_tree.h"
#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/random.h"
#include "session/disk/dirs.h"
#include "session/disk/lock.h"

#define PREFIX	   ".new-"
#define TRIES	   100
#define VERSION	   2
#define RECORD	   "trash.json"
#define DELETING   "deleting" /* an empty file */
#define RECORD_MAX ((size_t)4 * 1024 * 1024)

/* -- deleting ------------------------------------------------------------- */

/* Returns how many directories that are being deleted are in dir, and deletes
 * them if apply is set. Two processes may do so at once. */
static size_t sweep_removed(const char *dir, bool apply)
{
	_dir_ DIR *d = file_list(AT_FDCWD, dir);
	const char *name;
	size_t n = 0;

	while ((name = file_list_next(d)))
		if (random_is_named(name, SESSION_REMOVED, SPEC_ID_LEN))
			n += !apply || delete_tree(dirfd(d), name, NULL) == 0;
	return n;
}

size_t session_remove_unfinished(bool apply)
{
	_free_ char *trash = dirs_trash(NULL);
	size_t n = trash ? sweep_removed(trash, apply) : 0;

	return n;
}

int session_remove_dir(const char *dir, const char *id, struct err *err)
{
	char name[sizeof SESSION_REMOVED + SPEC_ID_LEN];
	_free_ char *from = mem_strndup(dir, (size_t)(strrchr(dir, '/') - dir));
	_close_ int fd = open(from, FILE_DIR_FLAGS);
	int rc = 0;

	/* Beside the directory, because on a full disk `afw new` could not make
	 * a new one to roll back. */
	snprintf(name, sizeof name, SESSION_REMOVED "%s", id);
	if (fd < 0)
		return err_errno(err, "open %s", from);
	dirs_remove_sockets(id);
	if (renameat(fd, id, fd, name) < 0)
		rc = err_errno(err, "move %s away", dir);
	else if (delete_tree(fd, name, err) < 0)
		rc = err_prefix(err, "clean up %s", from);
	if (strcmp(strrchr(from, '/'), "/trash") == 0)
		sweep_removed(from, true);
	return rc;
}

int session_remove(const struct session *s, struct err *err)
{
	return session_remove_dir(s->dir, s->spec.id, err);
}

/* -- being made ----------------------------------------------------------- */

char *staging_dir(const char *staged, struct err *err)
{
	char name[sizeof PREFIX + SPEC_ID_LEN];

	snprintf(name, sizeof name, PREFIX "%s", staged);
	return dirs_session(name, err);
}

/* Takes the lock of a directory; fails if the directory was removed. */
static int lock_directory(const char *dir, struct err *err)
{
	int lock = lock_create(dir, err);

	if (lock >= 0 && access(dir, F_OK) < 0) {
		err_errno(err, "make %s", dir);
		file_reset(&lock);
	}
	return lock;
}

/* Without a socket its supervisor could not be reached, so this is checked
 * first. */
static int has_socket(const char *staged, struct err *err)
{
	_free_ char *dir = staging_dir(staged, err);
	_close_ int fd = dir ? dirs_listen(dir, err) : -1;

	return fd < 0 ? -1 : 0;
}

int staging_create(char staged[SPEC_ID_LEN + 1], struct err *err)
{
	int lock = -1;

	staging_sweep(true);
	for (int i = 0; i < TRIES && lock < 0; i++) {
		_free_ char *dir = NULL;

		random_hex(staged, SPEC_ID_LEN);
		dir = staging_dir(staged, err);
		if (!dir)
			return -1;
		if (mkdir(dir, 0700) < 0)
			return err_errno(err, "make %s", dir);
		lock = lock_directory(dir, err);
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
	_free_ char *from = staging_dir(staged, err);
	_free_ char *to = dirs_session(id, err);

	if (!from || !to)
		return -1;
	return rename(from, to) < 0 ? err_errno(err, "make %s", to) : 0;
}

void staging_drop(const char *staged)
{
	_free_ char *dir = staging_dir(staged, NULL);

	if (dir)
		delete_tree(AT_FDCWD, dir, NULL);
}

/* Returns whether no process holds the directory; deletes it if apply is set.
 */
static bool sweep_one(int sessions, const char *name, bool apply)
{
	_free_ char *dir = dirs_session(name, NULL);
	char swept[sizeof SESSION_REMOVED + SPEC_ID_LEN];
	bool left = dir && !lock_is_held(dir);
	_close_ int lock = left && apply ? lock_create(dir, NULL) : -1;

	snprintf(swept, sizeof swept, SESSION_REMOVED "%s",
		 name + strlen(PREFIX));
	if (apply)
		left = lock >= 0 &&
		       renameat(sessions, name, sessions, swept) == 0 &&
		       delete_tree(sessions, swept, NULL) == 0;
	return left;
}

size_t staging_sweep(bool apply)
{
	_free_ char *sessions = dirs_sessions(NULL);
	_dir_ DIR *d = sessions ? file_list(AT_FDCWD, sessions) : NULL;
	const char *name;
	size_t n = d ? sweep_removed(sessions, apply) : 0;

	while ((name = file_list_next(d)))
		if (random_is_named(name, PREFIX, SPEC_ID_LEN))
			n += sweep_one(dirfd(d), name, apply);
	return n;
}

/* -- in the trash --------------------------------------------------------- */

/* An error is ignored: the session can be restored without the record, too. */
static void write_record(const char *dir, const cJSON *worktree)
{
	char at[CLOCK_RFC3339_SIZE];
	_json_ cJSON *o = cJSON_CreateObject();
	_free_ char *path = file_join(dir, RECORD);

	clock_format(clock_wall_ms(), at);
	json_set_int(o, "v", VERSION);
	json_set_str(o, "removed_at", at);
	if (worktree)
		cJSON_AddItemToObject(o, "worktree",
				      cJSON_Duplicate(worktree, 1));
	file_sweep(AT_FDCWD, dir, 0); /* left by a run that was killed */
	json_save(AT_FDCWD, path, o, false, NULL);
}

/* Moves it from one directory of the data directory to another, with the same
 * name. */
static int move_directory(const char *id, const char *from, const char *to,
			  struct err *err)
{
	_close_ int a = open(from, FILE_DIR_FLAGS);
	_close_ int b = a < 0 ? -1 : open(to, FILE_DIR_FLAGS);

	if (b < 0)
		return err_errno(err, "open %s", a < 0 ? from : to);
	if (renameat(a, id, b, id) == 0)
		return 0;
	if (errno == EEXIST || errno == ENOTEMPTY)
		return err_set(err, ERR_CONFLICT, "%s/%s is there already", to,
			       id);
	return err_errno(err, "move %s/%s to %s", from, id, to);
}

int trash_add(const struct session *s, const cJSON *worktree, struct err *err)
{
	_free_ char *trash = dirs_trash(err);
	_free_ char *sessions = dirs_sessions(err);

	if (!trash || !sessions || file_private_dir(trash, err) < 0)
		return -1;
	write_record(s->dir, worktree);
	dirs_remove_sockets(s->spec.id);
	return move_directory(s->spec.id, sessions, trash, err);
}

void trash_set_deleting(const struct trashed *t, bool deleting)
{
	_free_ char *path = file_join(t->dir, DELETING);

	if (deleting)
		file_close(file_open(AT_FDCWD, path, O_WRONLY | O_CREAT, NULL));
	else
		unlink(path);
}

static bool is_deleting(const struct trashed *t)
{
	_free_ char *path = file_join(t->dir, DELETING);

	return access(path, F_OK) == 0;
}

static void finish_one(struct trashed *t)
{
	spec_finish(&t->spec);
	cJSON_Delete(t->worktree);
	free(t->dir);
}

/* Without a record the session is in the trash all the same. Returns -1 if the
 * record cannot be read. */
static int load_record(struct trashed *t, struct err *err)
{
	char *path = file_join(t->dir, RECORD);
	cJSON *o = json_load(AT_FDCWD, path, RECORD_MAX, err);
	struct stat st;
	int rc = o || errno == ENOENT ? 0 : -1, why = errno;

	if (o) {
		t->removed_at = clock_parse(json_str_or(o, "removed_at", ""));
		t->worktree =
		    cJSON_DetachItemFromObjectCaseSensitive(o, "worktree");
	} else {
		t->removed_at = stat(t->dir, &st) == 0
				    ? (int64_t)st.st_ctim.tv_sec * 1000
				    : clock_wall_ms();
		if (spec_has_worktree(&t->spec))
			t->worktree = cJSON_CreateObject();
	}
	cJSON_Delete(o);
	free(path);
	errno = why;
	return rc;
}

static int compare_age(const void *a, const void *b)
{
	const struct trashed *x = a, *y = b;

	if (x->removed_at != y->removed_at)
		return x->removed_at < y->removed_at ? -1 : 1;
	return strcmp(x->spec.id, y->spec.id);
}

int trash_list(struct trashed_list *l, struct err *err)
{
	_free_ char *root = dirs_trash(err);
	_dir_ DIR *d = NULL;
	const char *name;
	int rc = 0;

	*l = (struct trashed_list){0};
	if (!root)
		return -1;
	d = file_list(AT_FDCWD, root);
	if (!d && errno != ENOENT)
		rc = err_errno(err, "list %s", root);
	while ((name = file_list_next(d))) {
		struct trashed t = {0};

		if (!random_is_hex(name, SPEC_ID_LEN))
			continue;
		t.dir = file_join(root, name);
		if (spec_load(&t.spec, t.dir, err) < 0) {
			if (errno != ENOENT) /* it is being purged */
				rc = -1;
			finish_one(&t);
			continue;
		}
		if (load_record(&t, err) < 0) {
			rc = -1;
			finish_one(&t);
			continue;
		}
		t.deleting = is_deleting(&t);
		l->v = mem_grow(l->v, l->n, sizeof *l->v);
		l->v[l->n++] = t;
	}
	if (d && errno)
		rc = err_errno(err, "list %s", root);
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, compare_age);
	return rc;
}

void trash_list_finish(struct trashed_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		finish_one(&l->v[i]);
	free(l->v);
	*l = (struct trashed_list){0};
}

int trash_restore(const struct trashed *t, struct err *err)
{
	_free_ char *trash = dirs_trash(err);
	_free_ char *sessions = dirs_sessions(err);

	trash_set_deleting(t, false);
	if (!trash || !sessions)
		return -1;
	return move_directory(t->spec.id, trash, sessions, err);
}

int trash_delete(const struct trashed *t, struct err *err)
{
	return session_remove_dir(t->dir, t->spec.id, err);
}
