/*
 * trash_move.c - the directories of the trash: what is renamed in what order,
 * so that a run which dies between can be finished by the next.
 *
 * In: record, worktree, git's entry. Out: worktree, git's entry, and when all
 * else is done the record. The entry never lies where git looks for it
 * without a worktree for longer than the step between takes, but it may: it
 * is kept then, because the session is known.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/delete_tree.h"
#include "base/file.h"
#include "worktrees/trash.h"

#define CAN	   ".trash"
#define PURGED	   ".purged-"
#define RECORD	   "record.json"
#define RECORD_MAX ((size_t)4 * 1024 * 1024)
#define DIR_FLAGS  (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

bool trash_id_valid(const char *id)
{
	return id && strlen(id) == 32 && strspn(id, "0123456789abcdef") == 32;
}

bool trash_holds(const struct repo_worktree *w, const char *id)
{
	char *path;
	bool holds;

	if (!trash_id_valid(id) || w->parent < 0)
		return false;
	path = mem_printf(CAN "/%s/tree", id);
	holds = faccessat(w->parent, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	free(path);
	return holds;
}

void trash_open_bin(struct trash *t)
{
	t->path = mem_printf("%s/" CAN "/%s", t->w.parent_path, t->id);
	if (t->w.parent >= 0)
		t->can = openat(t->w.parent, CAN, DIR_FLAGS);
	if (t->can >= 0)
		t->bin = openat(t->can, t->id, DIR_FLAGS);
}

static bool is_in(int dir, const char *name)
{
	return dir >= 0 &&
	       faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool trash_has_tree(const struct trash *t)
{
	return is_in(t->bin, "tree");
}

bool trash_has_entry(const struct trash *t)
{
	return is_in(t->bin, "entry");
}

static int make_bin(struct trash *t, struct err *err)
{
	if (t->can < 0) {
		if (mkdirat(t->w.parent, CAN, 0700) < 0 && errno != EEXIST)
			return err_errno(err, "make %s", t->path);
		t->can = openat(t->w.parent, CAN, DIR_FLAGS);
	}
	if (t->can >= 0 && t->bin < 0) {
		if (mkdirat(t->can, t->id, 0700) < 0 && errno != EEXIST)
			return err_errno(err, "make %s", t->path);
		t->bin = openat(t->can, t->id, DIR_FLAGS);
	}
	return t->bin < 0 ? err_errno(err, "open %s", t->path) : 0;
}

static int write_record(const struct trash *t, const cJSON *o, struct err *err)
{
	struct buf text = {0};
	int r;

	json_print(o, &text);
	buf_addc(&text, '\n');
	r = file_replace(t->bin, RECORD, text.data, text.len, true, err);
	buf_finish(&text);
	return r;
}

cJSON *trash_read_record(const struct trash *t, struct err *err)
{
	struct buf text = {0};
	cJSON *o = NULL;

	if (file_read(t->bin, RECORD, RECORD_MAX, &text, err) == 0)
		o = json_parse_object(text.data, text.len, err);
	buf_finish(&text);
	return o;
}

static int move(struct trash *t, struct err *err)
{
	const char *id = repo_basename(t->w.admin);
	struct stat st;

	if (renameat(t->w.parent, t->w.base, t->bin, "tree") < 0)
		return err_errno(err, "move %s to the trash", t->w.path);
	if (fstatat(t->bin, "tree", &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    st.st_dev != t->w.dev || st.st_ino != t->w.ino)
		err_set(err, ERR_FAILED,
			"%s was replaced by something else just now",
			t->w.path);
	else if (renameat(t->w.admins, id, t->bin, "entry") < 0)
		err_errno(err, "move git's entry %s to the trash", t->w.admin);
	else
		return 0;
	renameat(t->bin, "tree", t->w.parent, t->w.base);
	return -1;
}

int trash_move_in(struct trash *t, const cJSON *record, struct err *err)
{
	if (make_bin(t, err) < 0)
		return -1;
	file_sweep(t->bin); /* of a run that died */
	if (write_record(t, record, err) < 0 || output_go_on(t->out, err) < 0)
		return -1;
	return move(t, err);
}

int trash_finish_move(struct trash *t, struct err *err)
{
	const char *id = repo_basename(t->w.admin);

	if (t->w.admin_missing ||
	    renameat(t->w.admins, id, t->bin, "entry") == 0)
		return 0;
	return err_errno(err, "move git's entry %s to the trash", t->w.admin);
}

static int open_admins(struct trash *t, struct err *err)
{
	char *dir = file_join(t->w.git_dir, "worktrees");
	int r = 0;

	if (t->w.admins < 0) {
		if (mkdir(dir, 0777) < 0 && errno != EEXIST)
			r = err_errno(err, "make %s", dir);
		else if ((t->w.admins = open(dir, DIR_FLAGS)) < 0)
			r = err_errno(err, "open %s", dir);
	}
	free(dir);
	return r;
}

/* Rename onto a directory that is not empty fails, and an empty one is in
 * nobody's way. */
int trash_move_back(struct trash *t, struct err *err)
{
	const char *id = repo_basename(t->w.admin);
	bool tree = trash_has_tree(t);

	if (open_admins(t, err) < 0)
		return -1;
	if (tree && renameat(t->bin, "tree", t->w.parent, t->w.base) < 0)
		return err_errno(err, "put %s back", t->w.path);
	if (!trash_has_entry(t) ||
	    renameat(t->bin, "entry", t->w.admins, id) == 0)
		return 0;
	err_errno(err, "put git's entry %s back", t->w.admin);
	if (tree)
		renameat(t->w.parent, t->w.base, t->bin, "tree");
	return -1;
}

static void drop_can(struct trash *t)
{
	if (t->w.parent >= 0)
		unlinkat(t->w.parent, CAN, AT_REMOVEDIR);
	rmdir(t->w.parent_path);
}

void trash_drop_bin(struct trash *t)
{
	if (t->bin >= 0)
		unlinkat(t->bin, RECORD, 0);
	if (t->can >= 0)
		unlinkat(t->can, t->id, AT_REMOVEDIR);
	drop_can(t);
}

static void purged_name(const struct trash *t, char *name, size_t size)
{
	snprintf(name, size, PURGED "%s", t->id);
}

bool trash_is_half_deleted(const struct trash *t)
{
	char name[64];

	purged_name(t, name, sizeof name);
	return is_in(t->can, name);
}

int trash_delete_bin(struct trash *t, struct err *err)
{
	char name[64];
	int r = 0;

	purged_name(t, name, sizeof name);
	if (t->bin >= 0 && renameat(t->can, t->id, t->can, name) < 0)
		return err_errno(err, "delete %s", t->path);
	if (trash_is_half_deleted(t))
		r = delete_tree(t->can, name, err);
	drop_can(t);
	return r;
}
