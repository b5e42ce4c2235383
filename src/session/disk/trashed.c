/*
 * trashed.c - sessions that rm has put aside.
 *
 * A session is in sessions/ or in trash/, never in both: one rename moves
 * it. trash.json is written before, so that what is in the trash has one.
 */
#include "session/disk/trashed.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/json.h"
#include "base/random.h"
#include "session/disk/dirs.h"
#include "session/disk/remove.h"

#define VERSION	   2
#define RECORD	   "trash.json"
#define DELETING   "deleting" /* an empty file */
#define RECORD_MAX ((size_t)4 * 1024 * 1024)

/* Without it the session comes back all the same. */
static void write_record(const char *dir, const cJSON *worktree)
{
	char at[CLOCK_RFC3339_SIZE];
	cJSON *o = cJSON_CreateObject();
	char *path = file_join(dir, RECORD);

	clock_format(clock_wall_ms(), at);
	json_set_int(o, "v", VERSION);
	json_set_str(o, "removed_at", at);
	if (worktree)
		cJSON_AddItemToObject(o, "worktree",
				      cJSON_Duplicate(worktree, 1));
	file_sweep(AT_FDCWD, dir); /* of a run that died */
	json_save(AT_FDCWD, path, o, false, NULL);
	cJSON_Delete(o);
	free(path);
}

/* From one directory of the data directory to another, as it is called. */
static int move(const char *id, const char *from, const char *to,
		struct err *err)
{
	int a = open(from, FILE_DIR_FLAGS), b = open(to, FILE_DIR_FLAGS),
	    rc = -1;

	if (a < 0 || b < 0)
		err_errno(err, "open %s", a < 0 ? from : to);
	else if (renameat(a, id, b, id) == 0)
		rc = 0;
	else if (errno == EEXIST || errno == ENOTEMPTY)
		err_set(err, ERR_CONFLICT, "%s/%s is there already", to, id);
	else
		err_errno(err, "move %s/%s to %s", from, id, to);
	file_close(a);
	file_close(b);
	return rc;
}

int trash_put(const struct session *s, const cJSON *worktree, struct err *err)
{
	char *trash = dirs_trash(err), *sessions = dirs_sessions(err);
	int rc = -1;

	if (trash && sessions && file_private_dir(trash, err) == 0) {
		write_record(s->dir, worktree);
		dirs_remove_sockets(s->spec.id);
		rc = move(s->spec.id, sessions, trash, err);
	}
	free(trash);
	free(sessions);
	return rc;
}

void trash_set_deleting(const struct trashed *t, bool deleting)
{
	char *path = file_join(t->dir, DELETING);

	if (deleting)
		file_close(file_open(AT_FDCWD, path, O_WRONLY | O_CREAT, NULL));
	else
		unlink(path);
	free(path);
}

static bool is_deleting(const struct trashed *t)
{
	char *path = file_join(t->dir, DELETING);
	bool is = access(path, F_OK) == 0;

	free(path);
	return is;
}

static void finish_one(struct trashed *t)
{
	spec_finish(&t->spec);
	cJSON_Delete(t->worktree);
	free(t->dir);
}

/* Without one it is in the trash all the same; -1: it cannot be read. */
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

static int by_age(const void *a, const void *b)
{
	const struct trashed *x = a, *y = b;

	if (x->removed_at != y->removed_at)
		return x->removed_at < y->removed_at ? -1 : 1;
	return strcmp(x->spec.id, y->spec.id);
}

int trash_list(struct trashed_list *l, struct err *err)
{
	char *root = dirs_trash(err);
	const char *name;
	int rc = 0;
	DIR *d;

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
		l->v = mem_realloc(l->v, (l->n + 1) * sizeof *l->v);
		l->v[l->n++] = t;
	}
	if (d && errno)
		rc = err_errno(err, "list %s", root);
	file_list_end(d);
	free(root);
	if (l->n)
		qsort(l->v, l->n, sizeof *l->v, by_age);
	return rc;
}

void trash_list_finish(struct trashed_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		finish_one(&l->v[i]);
	free(l->v);
	*l = (struct trashed_list){0};
}

int trash_take_back(const struct trashed *t, struct err *err)
{
	char *trash = dirs_trash(err), *sessions = dirs_sessions(err);
	int rc = -1;

	trash_set_deleting(t, false);
	if (trash && sessions)
		rc = move(t->spec.id, trash, sessions, err);
	free(trash);
	free(sessions);
	return rc;
}

int trash_delete(const struct trashed *t, struct err *err)
{
	return session_remove_dir(t->dir, t->spec.id, err);
}
