/*
 * remove.c - removes a worktree, by one rename into the trash, and then says
 * what unsaved work is in it (trash_check.c).
 *
 * Until it is there, no file is read, no object is written, and nothing is
 * waited for, except by the search for commits of submodules. A later "sweep"
 * deletes the worktree, unless it has unsaved work. The branch that create made
 * is deleted at once if another reference has its commits, so that the name is
 * free; no other reference is changed, and nothing is deleted because of a file
 * in git's entry.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/git/branch.h"
#include "worktrees/private/harvest.h"
#include "worktrees/trash/trash.h"
#include "worktrees/operations.h"

/* Adds a hint why it could not be renamed. */
static int hint_rename(const struct trash *t, struct err *err)
{
	int why = errno;

	if (why == EBUSY)
		return err_hint(err, "something is mounted there: `umount %s`",
				t->w.path);
	if (why == EXDEV)
		return err_hint(
		    err,
		    "it is on another file system than %s: move it away "
		    "yourself (mv copies it), then repeat this",
		    t->w.parent_path);
	return -1;
}

/* Moves the directory, and back again if it was replaced meanwhile. */
static int move_tree(struct trash *t, struct err *err)
{
	struct stat st;

	if (trash_put(t, err) < 0)
		return hint_rename(t, err);
	if (fstatat(t->trash_fd, t->id, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
	    st.st_dev == t->w.dev && st.st_ino == t->w.ino)
		return 0;
	return err_set(err, ERR_FAILED,
		       "%s was replaced by something else just now", t->w.path);
}

static int move_entry(struct trash *t, bool entry, struct err *err)
{
	if (!t->w.missing && move_tree(t, err) < 0)
		return -1;
	return entry ? trash_entry_create(t, err) : 0;
}

/* Moves what exists; parts that a killed run has moved already stay moved. */
static int move(struct trash *t, struct err *err)
{
	bool entry = t->has_entry || !t->w.admin_missing;

	if (entry && trash_entry_lock(t, err) < 0)
		return -1;
	if (move_entry(t, entry, err) == 0)
		return 0;
	if (t->has_tree &&
	    file_rename_new(t->trash_fd, t->id, t->w.parent, t->w.base) == 0)
		t->has_tree = false;
	if (entry && !t->has_entry)
		trash_entry_unlock(t, NULL);
	return -1;
}

/* lost: why its commits were not imported, or NULL. */
static void drop_branch(const struct trash *t, const struct remove_request *req,
			const char *lost, cJSON *answer)
{
	git_oid head;
	bool has_head = trash_entry_head(t, &head), deleted = false;
	_free_ char *kept = NULL;
	struct err err;

	if (lost)
		kept = mem_strdup(lost);
	else if (req->place.branch_given)
		kept = mem_strdup("afw did not make it");
	else if (branch_delete(t->repo.main, req->place.branch, NULL,
			       req->delete_branch, has_head ? &head : NULL,
			       &deleted, &kept, &err) < 0)
		kept = mem_printf("%s%s%s", err.what, err.hint[0] ? "; " : "",
				  err.hint);
	json_set_bool(answer, "branch_deleted", deleted);
	json_set_text(answer, "kept", kept);
}

static int remove_worktree(const struct remove_request *req, cJSON *answer,
			   struct err *err)
{
	_trash_ struct trash t = TRASH_NONE;
	_free_ char *module = NULL; /* the worktree may have its only copy */
	struct err lost;
	bool imported;

	if (trash_open(&t, &req->place, req->id, err) < 0)
		return -1;
	/* Commits that cannot be imported go to the trash with it. */
	imported = harvest(&req->place, answer, &lost) == 0;
	module = submodule_unsaved(&t.w, NULL);
	if (!module && t.private_git)
		module = submodule_unsaved(&t.w, t.private_git);
	json_set_str(answer, "submodule", module);
	if (t.has_tree && !t.w.missing)
		return err_set(err, ERR_CONFLICT, "%s is in the way", t.path);
	if (t.w.elsewhere) {
		/* Moved with git: no longer afw's. */
		if (!t.w.missing)
			return repo_worktree_elsewhere(&t.w, err);
		t.w.admin_missing = true;
		json_set_str(answer, "elsewhere", t.w.elsewhere);
	}
	if (move(&t, err) < 0)
		return -1;
	drop_branch(&t, req, imported ? NULL : lost.what, answer);
	json_set_str(answer, "trash", t.has_tree ? t.path : NULL);
	json_set_bool(answer, "entry", t.has_entry);
	json_set_bool(answer, "missing", !t.has_tree);
	trash_drop_empty(&t);
	return 0;
}

int worktree_remove(struct output *out, const struct remove_request *req,
		    cJSON *answer, struct err *err)
{
	struct sweep_request look = {.place = req->place,
				     .id = req->id,
				     .delete_ignored = req->delete_ignored};
	_free_ char *holds = NULL;
	struct err why;

	if (remove_worktree(req, answer, err) < 0)
		return -1;
	if (trash_look(&look, &holds, &why) < 0)
		holds = mem_printf("it was not checked: %s", why.what);
	json_set_text(answer, "holds", holds);
	return 0;
}
