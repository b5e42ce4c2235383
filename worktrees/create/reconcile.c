/*
 * reconcile.c - finds git's entries and branches of worktrees that no session
 * has any more.
 *
 * Entries of worktrees whose directory is gone are reported and never deleted:
 * they may keep commits that no branch has. Unfinished work of a killed run
 * (mark.h) is removed, unless a session claims it.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/gitfile.h"
#include "worktrees/create/mark.h"
#include "worktrees/create/spare.h"
#include "worktrees/git/branch.h"
#include "worktrees/git/merged.h"
#include "worktrees/git/place.h"
#include "worktrees/git/repo.h"
#include "worktrees/operations.h"

#define HEADS	  "refs/heads/"
#define LOCK_S	  600
#define DEPTH_MAX 16

/* Reports an entry whose worktree is missing; it may be on an unmounted
 * disk. */
static void check_entry(const struct repo *r, const char *id, cJSON *array)
{
	git_worktree *wt = NULL;
	_free_ char *parent = NULL;
	const char *path;
	struct stat st;
	cJSON *o;

	if (!repo_id_valid(id) || git_worktree_lookup(&wt, r->main, id) < 0)
		return;
	path = git_worktree_path(wt);
	parent = repo_dirname(path);
	if (place_is(parent) && lstat(path, &st) < 0 && errno == ENOENT) {
		o = cJSON_CreateObject();
		json_set_str(o, "id", id);
		json_set_str(o, "worktree", path);
		cJSON_AddItemToArray(array, o);
	}
	git_worktree_free(wt);
}

static int entries(const struct repo *r, const struct strv *keep, cJSON *array,
		   struct err *err)
{
	git_strarray ids = {0};
	int rc = 0;

	if (git_worktree_list(&ids, r->main) < 0)
		rc = repo_err(err, ERR_FAILED, "list the worktrees of %s",
			      r->path);
	for (size_t i = 0; i < ids.count; i++)
		if (!strv_has(keep, ids.strings[i]))
			check_entry(r, ids.strings[i], array);
	git_strarray_dispose(&ids);
	return rc;
}

/* Returns whether `afw fetch` made the branch: its session is on another
 * machine. */
static bool was_fetched(const struct repo *r, const char *branch)
{
	_free_ char *glob = mem_printf(GITFILE_FETCHED "*/%s", branch);
	git_reference_iterator *it = NULL;
	const char *name;
	bool was = git_reference_iterator_glob_new(&it, r->main, glob) == 0 &&
		   git_reference_next_name(&name, it) == 0;

	git_reference_iterator_free(it);
	return was;
}

static int branches(const struct repo *r, const struct strv *keep,
		    const char *prefix, cJSON *array, struct err *err)
{
	_free_ char *glob = mem_printf(HEADS "%s*", prefix);
	git_reference_iterator *it = NULL;
	const char *name;
	int rc = 0;

	if (git_reference_iterator_glob_new(&it, r->main, glob) < 0)
		rc = repo_err(err, ERR_FAILED, "list the branches of %s",
			      r->path);
	while (rc == 0 && git_reference_next_name(&name, it) == 0) {
		const char *branch = name + strlen(HEADS);
		bool merged = false;
		git_oid tip;
		cJSON *o;

		if (strv_has(keep, branch) || was_fetched(r, branch) ||
		    branch_is_checked_out(r->main, name, NULL) ||
		    git_reference_name_to_id(&tip, r->main, name) < 0)
			continue;
		rc = merged_all(r->main, &tip, 1, name, &merged, err);
		o = cJSON_CreateObject();
		json_set_str(o, "branch", branch);
		json_set_bool(o, "merged", merged);
		cJSON_AddItemToArray(array, o);
	}
	git_reference_iterator_free(it);
	return rc;
}

/* Lists worktrees that a killed run left unfinished. */
static void half_made(const struct repo *r, int admins, const struct strv *keep,
		      bool apply, cJSON *array)
{
	_dir_ DIR *d = file_list(admins, ".");
	const char *id;

	while ((id = file_list_next(d))) {
		struct err why;
		cJSON *o;

		if (!repo_id_valid(id) || !mark_is_stale(admins, id) ||
		    strv_has(keep, id))
			continue;
		o = cJSON_CreateObject();
		json_set_str(o, "id", id);
		if (apply)
			json_set_bool(
			    o, "cleared",
			    mark_undo_stale(r->main, admins, id, 0, &why) > 0);
		cJSON_AddItemToArray(array, o);
	}
}

/* Adds the branches of worktrees that are being made, whatever is checked out
 * there. */
static void add_being_made(int admins, struct strv *names)
{
	_dir_ DIR *d = file_list(admins, ".");
	const char *id;

	while ((id = file_list_next(d))) {
		_free_ char *ref = mark_ref(admins, id);

		if (ref && strncmp(ref, HEADS, strlen(HEADS)) == 0)
			strv_add(names, ref + strlen(HEADS));
	}
}

/* Lists spares that are not as they were made, which no run uses or removes. */
static void spares(int admins, cJSON *array)
{
	_dir_ DIR *d = file_list(admins, ".");
	const char *id;

	while ((id = file_list_next(d))) {
		CLEANUP(spare_finish) struct spare s = SPARE_NONE;
		_free_ char *path = NULL, *why = NULL;
		_close_ int tree = -1;
		cJSON *o;

		if (!spare_open(&s, admins, id, false) ||
		    !(path = spare_directory(&s)))
			continue;
		tree = open(path, FILE_DIR_FLAGS);
		if (tree < 0 || spare_is_as_made(&s, tree, -1, &why))
			continue;
		o = cJSON_CreateObject();
		json_set_str(o, "worktree", path);
		json_set_str(o, "changed", why);
		cJSON_AddItemToArray(array, o);
	}
}

/* Adds a lock that no git holds so long. */
static void add_lock(const char *path, cJSON *array)
{
	const char *dot = strrchr(path, '.');
	struct stat st;

	if (dot && strcmp(dot, ".lock") == 0 && lstat(path, &st) == 0 &&
	    S_ISREG(st.st_mode) && time(NULL) - st.st_mtime > LOCK_S)
		cJSON_AddItemToArray(array, cJSON_CreateString(path));
}

/* Lists git's locks of references, which a killed run has left. */
static void locks(const char *dir, int depth, cJSON *array)
{
	_dir_ DIR *d = depth < DEPTH_MAX ? file_list(AT_FDCWD, dir) : NULL;
	const char *name;

	while ((name = file_list_next(d))) {
		_free_ char *path = file_join(dir, name);

		add_lock(path, array);
		locks(path, depth + 1, array);
	}
}

/* left: git's entries of spares that are not there any more; names: branches of
 * worktrees that are being made. */
static void is_unfinished(const struct repo *r, const struct strv *keep,
			  bool apply, struct strv *left, struct strv *names,
			  cJSON *answer)
{
	cJSON *array = json_set_array(answer, "half_made");
	_free_ char *path = file_join(r->git_dir, "worktrees"),
		    *refs = file_join(r->git_dir, "refs"),
		    *packed = file_join(r->git_dir, "packed-refs.lock");
	_close_ int admins = open(path, FILE_DIR_FLAGS);

	half_made(r, admins, keep, apply, array);
	add_being_made(admins, names);
	spare_sweep(admins, apply, left);
	spares(admins, json_set_array(answer, "spares"));
	array = json_set_array(answer, "locks");
	add_lock(packed, array);
	locks(refs, 0, array);
	json_set_int(answer, "half_removed",
		     (int64_t)(mark_sweep(admins, apply) + left->n));
	if (apply)
		rmdir(path);
}

int worktree_reconcile(struct output *out, const struct reconcile_request *req,
		       cJSON *answer, struct err *err)
{
	_repo_ struct repo r = {0};
	_strv_ struct strv known = {0}, names = {0};

	if (repo_open(&r, req->path, err) < 0)
		return -1;
	is_unfinished(&r, req->keep_ids, req->apply, &known, &names, answer);
	strv_copy(&names, req->keep_branches);
	strv_copy(&known, req->keep_ids);
	if (entries(&r, &known, json_set_array(answer, "entries"), err) < 0)
		return -1;
	return branches(&r, &names, req->branch_prefix,
			json_set_array(answer, "branches"), err);
}
