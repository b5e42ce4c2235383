/*
 * trash.c - takes a worktree away so that it can come back.
 *
 * All of its files go into a commit that refs/afw/trash/<id> keeps, with
 * what is staged, HEAD, the branch and what git's entry names as its
 * parents; read back and compared before anything is touched (trash_save.c).
 * Then the directory and git's entry for it are renamed (trash_move.c), which
 * stays on their file system, to
 *
 *	.af_worktrees/.trash/<id>/{tree,entry,record.json}
 *
 * where the record is the answer that was, or would have been, given: a run
 * that died between is finished by the next one. Nothing is deleted here but
 * a branch that rm would delete too; purge deletes what is in .trash/<id>
 * and the references of this id, and nothing else.
 */
#include "worktrees/trash.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/branch.h"
#include "worktrees/ref.h"
#include "worktrees/worktree.h"

#define UNSAVED_MAX	  1000
#define UNSAVED_BYTES_MAX ((size_t)256 * 1024)

static const char *const upstream_keys[] = {"remote", "merge", NULL};

static void finish(struct trash *t)
{
	if (t->can >= 0)
		close(t->can);
	if (t->bin >= 0)
		close(t->bin);
	snapshot_finish(&t->shot);
	repo_finish(&t->repo);
	repo_worktree_finish(&t->w);
	free(t->path);
}

static int open_all(struct trash *t, struct output *out, const cJSON *req,
		    struct err *err)
{
	*t = (struct trash){.out = out, .can = -1, .bin = -1};
	t->w.parent = t->w.admins = -1;
	t->id = json_str(req, "id");
	t->branch = json_str(req, "branch");
	if (!trash_id_valid(t->id))
		return err_set(err, ERR_USAGE, "bad request: id is needed");
	if (repo_worktree_open(&t->w, req, true, err) < 0 ||
	    repo_open(&t->repo, json_str(req, "repository"), err) < 0)
		return -1;
	ref_recover(t->repo.main);
	trash_open_bin(t);
	return 0;
}

/* -- to the trash --------------------------------------------------------- */

/* The first of them: that there are any is what counts, and a record that
 * nobody can read back keeps all of it from coming back. */
static void set_unsaved(cJSON *o, const struct strv *missing)
{
	struct strv first = {0};
	size_t bytes = 0;

	for (size_t i = 0; i < missing->n && i < UNSAVED_MAX &&
			   (i == 0 || bytes < UNSAVED_BYTES_MAX);
	     i++) {
		bytes += strlen(missing->v[i]);
		strv_add(&first, missing->v[i]);
	}
	json_set_strv(o, "unsaved", &first);
	strv_finish(&first);
}

/* "branch.NAME.remote" */
static char *config_key(const struct trash *t, const char *key)
{
	return mem_printf("branch.%s.%s", t->branch, key);
}

/* What the branch follows: it is forgotten with the branch. */
static void set_upstream(cJSON *o, const struct trash *t)
{
	git_config *config = NULL;

	if (git_repository_config_snapshot(&config, t->repo.main) < 0)
		return;
	for (const char *const *k = upstream_keys; *k; k++) {
		char *key = config_key(t, *k);
		const char *value;

		if (git_config_get_string(&value, config, key) == 0)
			json_set_str(o, *k, value);
		free(key);
	}
	git_config_free(config);
}

static cJSON *record(const struct trash *t)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "ref", t->ref);
	json_set_str(o, "commit", git_oid_tostr_s(&t->commit));
	if (t->has_head)
		json_set_str(o, "head", git_oid_tostr_s(&t->head));
	if (t->has_tip)
		json_set_str(o, "tip", git_oid_tostr_s(&t->tip));
	if (t->has_tip)
		set_upstream(o, t);
	json_set_int(o, "files", t->shot.files);
	json_set_int(o, "bytes", t->shot.bytes);
	set_unsaved(o, &t->shot.missing);
	json_set_str(o, "trash", t->path);
	return o;
}

static int check_locked(const struct trash *t, struct err *err)
{
	char *file = file_join(t->w.admin, "locked");
	int there = access(file, F_OK) == 0;

	free(file);
	if (!there)
		return 0;
	err_set(err, ERR_FAILED, "the worktree %s is locked", t->w.path);
	return err_hint(err, "to allow it: git worktree unlock %s", t->w.path);
}

/* The answer of a run that has moved it and died. */
static cJSON *finished_before(struct trash *t, struct err *err)
{
	cJSON *o = NULL;

	if (trash_has_tree(t))
		o = trash_read_record(t, err);
	else
		err_set(err, ERR_FAILED, "the worktree %s is gone", t->w.path);
	if (o && trash_finish_move(t, err) < 0) {
		cJSON_Delete(o);
		o = NULL;
	}
	return o;
}

static cJSON *trash_it(struct trash *t, struct err *err)
{
	cJSON *o;

	if (t->w.missing)
		return finished_before(t, err);
	if (t->w.admin_missing) {
		err_set(err, ERR_FAILED, "git knows nothing of %s any more",
			t->w.path);
		return NULL;
	}
	if (check_locked(t, err) < 0)
		return NULL;
	if (trash_has_tree(t)) {
		err_set(err, ERR_CONFLICT, "%s is in the way", t->path);
		return NULL;
	}
	if (trash_save(t, err) < 0)
		return NULL;
	o = record(t);
	if (trash_move_in(t, o, err) == 0)
		return o;
	cJSON_Delete(o);
	return NULL;
}

static void add_all(cJSON *to, cJSON *from)
{
	cJSON *item;

	while ((item = cJSON_DetachItemFromArray(from, 0)))
		cJSON_AddItemToObject(to, item->string, item);
	cJSON_Delete(from);
}

int worktree_trash(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err)
{
	const char *when = json_str_or(req, "delete_branch", "merged");
	struct trash t;
	bool deleted = false;
	char *kept = NULL;
	struct err sub;
	cJSON *o = NULL;

	if (open_all(&t, out, req, err) < 0)
		goto end;
	if (t.branch) {
		char *ref = mem_printf("refs/heads/%s", t.branch);

		t.has_tip =
		    git_reference_name_to_id(&t.tip, t.repo.main, ref) == 0;
		free(ref);
	}
	o = trash_it(&t, err);
	if (!o)
		goto end;
	add_all(answer, o);
	if (t.has_tip && branch_delete(t.repo.main, t.branch, &t.tip, when,
				       &deleted, &kept, &sub) < 0)
		kept = mem_strdup(sub.what);
	json_set_bool(answer, "branch_deleted", deleted);
	json_set_str(answer, "kept", kept);
	free(kept);
end:
	finish(&t);
	return o ? 0 : -1;
}

/* -- and back ------------------------------------------------------------- */

/* Where it was made anew or moved on, the commits that it had may be the
 * trash's alone, and the files are no work on what it has now. */
static int check_branch(const struct trash *t, git_reference *ref,
			const git_oid *tip, struct err *err)
{
	const git_oid *now = git_reference_target(ref);

	if (git_branch_is_checked_out(ref) > 0)
		return err_set(err, ERR_CONFLICT,
			       "the branch %s is checked out elsewhere",
			       t->branch);
	if (now && git_oid_equal(now, tip))
		return 0;
	err_set(err, ERR_CONFLICT,
		"the branch %s is not where it was (at %.10s)", t->branch,
		git_oid_tostr_s(tip));
	return err_hint(err, "it is made again there once that name is free: "
			     "git branch -m %s OTHER",
			t->branch);
}

static bool is_remote(const struct trash *t, const char *name)
{
	char *key = mem_printf("remote.%s.url", name);
	git_config *config = NULL;
	const char *url;
	bool there;

	there = git_repository_config_snapshot(&config, t->repo.main) == 0 &&
		git_config_get_string(&url, config, key) == 0;
	git_config_free(config);
	free(key);
	return there;
}

/* The record may be the harness's work: a remote may be a command, so only
 * one that the user has. What cannot be set is but a setting too few. */
static void restore_upstream(struct trash *t, const cJSON *o)
{
	const char *remote = json_str(o, "remote"), *merge;
	git_config *config = NULL;

	merge = json_str(o, "merge");
	if (remote && merge && strncmp(merge, "refs/", 5) == 0 &&
	    git_reference_is_valid_name(merge) == 1 &&
	    (strcmp(remote, ".") == 0 || is_remote(t, remote)) &&
	    git_repository_config(&config, t->repo.main) == 0)
		for (const char *const *k = upstream_keys; *k; k++) {
			char *key = config_key(t, *k);

			git_config_set_string(config, key, json_str(o, *k));
			free(key);
		}
	git_config_free(config);
}

/* The branch at the commit where it was. */
static int restore_branch(struct trash *t, const cJSON *o, struct err *err)
{
	const char *tip = json_str(o, "tip");
	git_reference *ref = NULL;
	char *name;
	git_oid oid;
	int r = 0;

	if (!t->branch || !tip || git_oid_fromstr(&oid, tip) < 0)
		return 0;
	name = mem_printf("refs/heads/%s", t->branch);
	if (git_reference_lookup(&ref, t->repo.main, name) == 0)
		r = check_branch(t, ref, &oid, err);
	else if (ref_create(t->repo.main, name, &oid, "afw trash restore") < 0)
		r = repo_err(err, ERR_FAILED, "make the branch %s", t->branch);
	else
		restore_upstream(t, o);
	git_reference_free(ref);
	free(name);
	return r;
}

static int put_back(struct trash *t, struct err *err)
{
	bool tree = trash_has_tree(t);
	cJSON *o;
	int r;

	if (tree && !t->w.missing)
		return err_set(err, ERR_CONFLICT,
			       "there is a worktree at %s again", t->w.path);
	if (tree && !t->w.admin_missing && trash_has_entry(t))
		return err_set(err, ERR_CONFLICT, "git has an entry %s again",
			       t->w.admin);
	/* A run that died has put back all, or all but git's entry. */
	if (!tree && t->w.missing)
		return err_set(err, ERR_FAILED, "%s is gone", t->path);
	if (!tree && !t->w.admin_missing)
		return 0;
	o = trash_read_record(t, err);
	r = o && restore_branch(t, o, err) == 0 ? trash_move_back(t, err) : -1;
	cJSON_Delete(o);
	return r;
}

int worktree_untrash(struct output *out, const cJSON *req, cJSON *answer,
		     struct err *err)
{
	struct trash t;
	int r = open_all(&t, out, req, err);

	if (r == 0 && trash_is_half_deleted(&t)) {
		r = err_set(err, ERR_CONFLICT, "%s is being purged", t.path);
		err_hint(err, "what is deleted cannot come back; `afw trash "
			      "purge` finishes it");
	}
	if (r == 0)
		r = put_back(&t, err);
	if (r == 0) {
		/* It is what the commit has, or more: that may go. */
		trash_delete_refs(t.repo.main, t.id);
		trash_drop_bin(&t);
		json_set_str(answer, "worktree", t.w.path);
	}
	finish(&t);
	return r;
}

/* What is in no commit is not ours to delete. */
static int check_saved(const struct trash *t, struct err *err)
{
	struct strv missing = {0};
	cJSON *o = trash_read_record(t, err);
	int r = o ? 0 : -1;

	json_strv(o, "unsaved", &missing);
	if (missing.n) {
		r = err_set(err, ERR_REFUSED,
			    "%s/tree has what is in no commit: %s%s", t->path,
			    missing.v[0], missing.n > 1 ? " and more" : "");
		err_hint(err, "look at it, and delete %s yourself", t->path);
	}
	strv_finish(&missing);
	cJSON_Delete(o);
	return r;
}

/* Whether a restore has died on it: then it is the worktree that has all. */
static bool is_half_restored(const struct trash *t, const cJSON *req)
{
	uint64_t ino = json_u64(req, "was_ino", 0);

	return !trash_has_tree(t) && !trash_is_half_deleted(t) &&
	       !t->w.missing && ino && ino == t->w.ino;
}

int worktree_purge(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err)
{
	struct trash t;
	int r = open_all(&t, out, req, err);

	if (r == 0 && is_half_restored(&t, req)) {
		r = err_set(err, ERR_CONFLICT, "%s is restored already",
			    t.w.path);
		err_hint(err, "`afw trash restore` finishes it");
	}
	if (r == 0 && trash_has_tree(&t))
		r = check_saved(&t, err);
	/* The directory first: with the references alone all that is in
	 * commits could still be had. */
	if (r == 0)
		r = trash_delete_bin(&t, err);
	if (r == 0)
		trash_delete_refs(t.repo.main, t.id);
	json_set_bool(answer, "purged", r == 0);
	finish(&t);
	return r;
}
