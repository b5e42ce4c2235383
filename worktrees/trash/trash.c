/*
 * trash.c - restores worktrees from the trash, and purges them.
 *
 * Nothing is overwritten: a rename fails if its target exists. A run that was
 * killed between two renames is finished by the next one.
 */
#include "worktrees/trash/trash.h"

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
#include "base/random.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/create/mark.h"
#include "worktrees/git/branch.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/place.h"
#include "worktrees/operations.h"

#define DELETE_S 3600 /* then the rest stays in the trash */
#define TRIES	 100

/* Only ENOENT means that it does not exist. */
static int find_in(int dir, const char *name, bool *there, struct err *err)
{
	*there =
	    dir >= 0 && faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
	return dir < 0 || *there || errno == ENOENT
		   ? 0
		   : err_errno(err, "look for %s", name);
}

int trash_open(struct trash *t, const struct repo_place *place, const char *id,
	       struct err *err)
{
	_free_ char *dir = NULL;

	t->id = id;
	t->private_git = place->private;
	if (!random_is_hex(t->id, 32))
		return err_set(err, ERR_USAGE, "bad request: no such id");
	if (repo_open(&t->repo, place->repository, err) < 0 ||
	    repo_worktree_find(&t->w, &t->repo, place, err) < 0)
		return -1;
	dir = mem_printf("%s" TRASH_DIR, t->w.parent_path);
	t->path = file_join(dir, t->id);
	t->entry_name = mem_printf("afw-trash-%s", t->id);
	t->name = t->id;
	t->trash_fd = open(dir, FILE_DIR_FLAGS);
	if (t->trash_fd < 0 && errno != ENOENT)
		return err_errno(err, "open %s", dir);
	if (find_in(t->trash_fd, t->id, &t->has_tree, err) < 0)
		return -1;
	return find_in(t->w.admins, t->entry_name, &t->has_entry, err);
}

/* Makes the checks and deletions work on it where it is. */
static void trash_in_place(struct trash *t)
{
	file_close(t->trash_fd);
	free(t->path);
	free(t->entry_name);
	t->trash_fd = t->w.parent >= 0 ? dup(t->w.parent) : -1;
	t->name = t->w.base;
	t->path = mem_strdup(t->w.path);
	t->entry_name = mem_strdup(repo_basename(t->w.admin));
	t->has_tree = !t->w.missing;
	t->has_entry = !t->w.admin_missing;
}

void trash_finish(struct trash *t)
{
	file_close(t->trash_fd);
	repo_worktree_finish(&t->w);
	repo_finish(&t->repo);
	free(t->path);
	free(t->entry_name);
}

static int make_dir(struct trash *t, struct err *err)
{
	const char *name = &TRASH_DIR[1];

	if (t->trash_fd >= 0)
		return 0;
	if (mkdirat(t->w.parent, name, 0700) == 0 || errno == EEXIST)
		t->trash_fd = openat(t->w.parent, name, FILE_DIR_FLAGS);
	if (t->trash_fd >= 0)
		return 0;
	return err_errno(err, "make %s" TRASH_DIR, t->w.parent_path);
}

/* The purge of another entry removes the directory when it is empty: perhaps
 * after we have opened it. */
int trash_put(struct trash *t, struct err *err)
{
	for (int tries = 0; tries < TRIES; tries++) {
		if (make_dir(t, err) == 0 &&
		    file_rename_new(t->w.parent, t->w.base, t->trash_fd,
				    t->id) == 0) {
			t->has_tree = true;
			return 0;
		}
		if (errno != ENOENT)
			break;
		file_reset(&t->trash_fd);
	}
	return err_errno(err, "move %s to the trash", t->w.path);
}

/* git, too, removes the directory of its entries with the last one. */
void trash_drop_empty(const struct trash *t)
{
	_free_ char *dir = file_join(t->repo.git_dir, "worktrees");

	if (t->w.parent >= 0)
		unlinkat(t->w.parent, &TRASH_DIR[1], AT_REMOVEDIR);
	if (t->w.parent_path)
		place_drop_empty(t->w.parent_path);
	rmdir(dir);
}

static int check_free(const struct trash *t, struct err *err)
{
	if (t->has_tree && !t->w.missing)
		return err_set(err, ERR_CONFLICT,
			       "there is a worktree at %s again", t->w.path);
	if (t->has_entry && !t->w.admin_missing)
		return err_set(err, ERR_CONFLICT, "git has an entry %s again",
			       t->w.admin);
	/* A killed restore has moved it, or it is another one. */
	if (!t->has_entry && t->w.elsewhere &&
	    strncmp(t->w.elsewhere, t->path, strlen(t->path)) != 0)
		return repo_worktree_elsewhere(&t->w, err);
	return 0;
}

/* Restores the directory, then git's entry; neither if one fails. */
static int restore(struct trash *t, char **why, struct err *err)
{
	if (t->has_tree &&
	    file_rename_new(t->trash_fd, t->id, t->w.parent, t->w.base) < 0)
		return err_errno(err, "put %s back", t->w.path);
	if ((!t->has_entry && t->w.admin_missing) ||
	    trash_entry_restore(t, why, err) == 0)
		return 0;
	if (t->has_tree && trash_put(t, NULL) == 0)
		trash_entry_create(t, NULL);
	return -1;
}

int worktree_restore(struct output *out, const struct restore_request *req,
		     cJSON *answer, struct err *err)
{
	_trash_ struct trash t = TRASH_NONE;
	_free_ char *why = NULL;

	if (trash_open(&t, &req->place, req->id, err) < 0 ||
	    check_free(&t, err) < 0 || restore(&t, &why, err) < 0)
		return -1;
	trash_drop_empty(&t);
	json_set_str(answer, "worktree", t.w.path);
	json_set_bool(answer, "missing", t.w.missing && !t.has_tree);
	json_set_str(answer, "detached", why);
	return 0;
}

/* Renames it first, so that half of it is never restored; deletes what a killed
 * run has left of it, too. */
static int delete_tree_of(struct trash *t, struct err *err)
{
	_free_ char *name = mem_printf(".purged-%s", t->id);

	if (t->has_tree &&
	    renameat(t->trash_fd, t->name, t->trash_fd, name) < 0)
		return err_errno(err, "delete %s", t->path);
	return t->trash_fd >= 0 ? delete_tree(t->trash_fd, name, err) : 0;
}

/* Deletes the directory, then git's entry: until then git keeps the objects
 * that it names. */
static int delete_both(struct trash *t, struct err *err)
{
	if (delete_tree_of(t, err) < 0 ||
	    (t->has_entry &&
	     mark_remove_entry(t->w.admins, t->entry_name, err) < 0))
		return -1;
	if (t->w.admins >= 0)
		mark_undo_all(t->repo.main, t->w.admins);
	trash_drop_empty(t);
	return 0;
}

/* True if a killed restore has moved it: then the worktree has everything. */
static bool is_half_restored(const struct trash *t, uint64_t ino)
{
	return !t->has_tree && !t->w.missing && ino && ino == t->w.ino;
}

static int open_to_delete(struct trash *t, const struct repo_place *place,
			  const char *id, uint64_t was_ino, struct err *err)
{
	if (trash_open(t, place, id, err) < 0)
		return -1;
	if (!is_half_restored(t, was_ino))
		return 0;
	err_set(err, ERR_CONFLICT, "%s is restored already", t->w.path);
	return err_hint(err, "`afw trash restore %s` finishes it", id);
}

int worktree_purge(struct output *out, const struct purge_request *req,
		   cJSON *answer, struct err *err)
{
	_trash_ struct trash t = TRASH_NONE;

	if (open_to_delete(&t, &req->place, req->id, req->was_ino, err) < 0 ||
	    delete_both(&t, err) < 0)
		return -1;
	json_set_bool(answer, "purged", true);
	return 0;
}

static int open_to_sweep(struct trash *t, const struct sweep_request *req,
			 struct err *err)
{
	if (!req->in_place)
		return open_to_delete(t, &req->place, req->id, req->was_ino,
				      err);
	if (trash_open(t, &req->place, req->id, err) < 0)
		return -1;
	if (t->w.elsewhere)
		return repo_worktree_elsewhere(&t->w, err);
	trash_in_place(t);
	return 0;
}

/* Deletes the branch of a worktree that was never in the trash, as remove has
 * not deleted it. */
static void drop_branch(const struct trash *t, const struct sweep_request *req,
			cJSON *answer)
{
	_free_ char *kept = NULL;
	struct err why;
	bool deleted;

	if (req->in_place && !req->place.branch_given &&
	    branch_delete(t->repo.main, req->place.branch, NULL, "merged", NULL,
			  &deleted, &kept, &why) < 0)
		json_set_str(answer, "branch_left", why.what);
}

/* True if it was made from another worktree's checkpoint, where its work is,
 * and nothing has changed since. The private git directory may not be made. */
static bool is_as_made(const struct sweep_request *req)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_checkpoint_log_ struct checkpoint_log log = {0};
	_checkpoint_ struct checkpoint first = {0}, now = {0};
	_git_odb_ git_odb *odb = NULL;
	const char *private = req->place.private;
	bool made = private && access(private, F_OK) == 0;
	_scan_ struct scan s = {.w = &w, .file_max = CHECKPOINT_FILE_MAX};
	struct err err;

	if (!req->in_place || repo_worktree_open(&w, &req->place, &err) < 0 ||
	    checkpoint_log_read(&log, &w, &err) < 0 || log.n == 0 ||
	    checkpoint_load(&first, w.git, &log.v[0], &err) < 0 ||
	    strcmp(first.kind, CHECKPOINT_NEW) != 0 ||
	    git_repository_odb(&odb, w.git) < 0)
		return false;
	s.odb = odb;
	return checkpoint_take(&now, &s, made ? private : NULL, NULL, &err) ==
		   0 &&
	       checkpoint_equal(&now, &first);
}

/* *why: why it is kept. */
static int sweep(struct trash *t, const struct sweep_request *req,
		 cJSON *answer, char **why, struct err *err)
{
	alarm(DELETE_S);
	if (t->has_tree && !req->delete_ignored && !is_as_made(req))
		*why = trash_check(t, false, true);
	if (*why)
		return 0;
	if (delete_both(t, err) < 0)
		return -1;
	drop_branch(t, req, answer);
	return 0;
}

int trash_look(const struct sweep_request *req, char **why, struct err *err)
{
	_trash_ struct trash t = TRASH_NONE;

	*why = NULL;
	if (open_to_sweep(&t, req, err) < 0)
		return -1;
	if (!is_as_made(req))
		*why = trash_check(&t, req->delete_ignored, false);
	return 0;
}

int worktree_sweep(struct output *out, const struct sweep_request *req,
		   cJSON *answer, struct err *err)
{
	_trash_ struct trash t = TRASH_NONE;
	_free_ char *why = NULL;

	if (open_to_sweep(&t, req, err) < 0)
		return -1;
	why = is_as_made(req) ? NULL
			      : trash_check(&t, req->delete_ignored, false);
	if (!why && !req->only_look && sweep(&t, req, answer, &why, err) < 0)
		return -1;
	if (!req->only_look)
		json_set_bool(answer, "purged", !why);
	json_set_str(answer, "why", why);
	return 0;
}
