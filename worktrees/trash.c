/*
 * trash.c - takes a worktree away so that it can come back.
 *
 * All of its files go into a commit that refs/afw/trash/<id> keeps, with
 * what is staged, HEAD and the branch as its parents; read back and compared
 * before anything is touched. Then the directory and git's entry for it are
 * renamed, on their file system, to
 *
 *	.af_worktrees/.trash/<id>/{tree,entry,record.json}
 *
 * where the record is the answer that was, or would have been, given: a run
 * that died between is finished by the next one. Nothing is deleted here but
 * a branch that rm would delete too; purge deletes what is in .trash/<id>
 * and the reference, and nothing else.
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
#include "worktrees/branch.h"
#include "worktrees/repo.h"
#include "worktrees/snapshot.h"
#include "worktrees/worktree.h"

#define TRASH	   ".trash"
#define REFS	   "refs/afw/trash/"
#define RECORD	   "record.json"
#define RECORD_MAX ((size_t)4 * 1024 * 1024)
#define DIR_FLAGS  (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define PARENTS	   3

struct trash {
	struct repo_worktree w;
	struct repo repo;
	struct output *out;
	const char *id, *branch; /* borrowed from the request */
	int can, bin;		 /* .trash and .trash/<id>, open */
	struct snapshot shot;
	git_oid parents[PARENTS];
	size_t n_parents;
	git_oid head, tip, commit;
	bool has_head, has_tip;
	char ref[128];
	char *path; /* of bin */
};

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

static bool id_valid(const char *id)
{
	return id && strlen(id) == 32 && strspn(id, "0123456789abcdef") == 32;
}

static int open_all(struct trash *t, struct output *out, const cJSON *req,
		    struct err *err)
{
	*t = (struct trash){.out = out, .can = -1, .bin = -1};
	t->w.parent = t->w.admins = -1;
	t->id = json_str(req, "id");
	t->branch = json_str(req, "branch");
	if (!id_valid(t->id))
		return err_set(err, ERR_USAGE, "bad request: id is needed");
	if (repo_worktree_open(&t->w, req, true, err) < 0 ||
	    repo_open(&t->repo, json_str(req, "repository"), err) < 0)
		return -1;
	t->path = mem_printf("%s/" TRASH "/%s", t->w.parent_path, t->id);
	if (t->w.parent >= 0)
		t->can = openat(t->w.parent, TRASH, DIR_FLAGS);
	if (t->can >= 0)
		t->bin = openat(t->can, t->id, DIR_FLAGS);
	return 0;
}

static int make_bin(struct trash *t, struct err *err)
{
	if (t->can < 0) {
		if (mkdirat(t->w.parent, TRASH, 0700) < 0 && errno != EEXIST)
			return err_errno(err, "make %s", t->path);
		t->can = openat(t->w.parent, TRASH, DIR_FLAGS);
	}
	if (t->can >= 0 && t->bin < 0) {
		if (mkdirat(t->can, t->id, 0700) < 0 && errno != EEXIST)
			return err_errno(err, "make %s", t->path);
		t->bin = openat(t->can, t->id, DIR_FLAGS);
	}
	return t->bin < 0 ? err_errno(err, "open %s", t->path) : 0;
}

/* -- the commit ----------------------------------------------------------- */

static void add_parent(struct trash *t, const git_oid *oid)
{
	for (size_t i = 0; i < t->n_parents; i++)
		if (git_oid_equal(&t->parents[i], oid))
			return;
	if (t->n_parents < PARENTS)
		t->parents[t->n_parents++] = *oid;
}

static int make_commit(struct trash *t, const git_oid *tree_id,
		       const char *what, git_oid *out, struct err *err)
{
	const git_commit *parents[PARENTS];
	git_commit *held[PARENTS] = {NULL};
	git_signature *who = NULL;
	git_tree *tree = NULL;
	char *text = mem_printf("afw trash: %s\n\n%s\n", t->w.base, what);
	int r = 0;

	if (git_tree_lookup(&tree, t->repo.main, tree_id) < 0 ||
	    git_signature_now(&who, "afw", "afw@localhost") < 0)
		r = -1;
	for (size_t i = 0; r == 0 && i < t->n_parents; i++) {
		r = git_commit_lookup(&held[i], t->repo.main, &t->parents[i]);
		parents[i] = held[i];
	}
	if (r == 0)
		r = git_commit_create(out, t->repo.main, NULL, who, who, NULL,
				      text, tree, t->n_parents,
				      t->n_parents ? parents : NULL);
	if (r < 0)
		repo_err(err, ERR_FAILED, "commit what is in %s", t->w.path);
	for (size_t i = 0; i < t->n_parents; i++)
		git_commit_free(held[i]);
	git_signature_free(who);
	git_tree_free(tree);
	free(text);
	return r < 0 ? -1 : 0;
}

/* What is staged may be neither in HEAD nor in a file. With conflicts there
 * is no tree of it; it stays in git's entry, which is moved along. */
static int add_staged(struct trash *t, struct err *err)
{
	git_index *index = NULL;
	git_oid tree, commit;
	int r = 0;

	if (git_repository_index(&index, t->w.git) == 0 &&
	    !git_index_has_conflicts(index) &&
	    git_index_write_tree(&tree, index) == 0) {
		r = make_commit(t, &tree, "What was staged.", &commit, err);
		if (r == 0)
			add_parent(t, &commit);
	}
	git_index_free(index);
	return r;
}

static int make_ref(struct trash *t, struct err *err)
{
	git_reference *ref = NULL;
	int r = GIT_EEXISTS;

	/* One of a run that died keeps what it has. */
	for (int i = 0; r == GIT_EEXISTS && i < 100; i++) {
		snprintf(t->ref, sizeof t->ref, i ? REFS "%s-%d" : REFS "%s",
			 t->id, i);
		r = git_reference_create(&ref, t->repo.main, t->ref, &t->commit,
					 0, "afw rm --trash");
	}
	git_reference_free(ref);
	return r < 0 ? repo_err(err, ERR_FAILED, "write %s", t->ref) : 0;
}

/* All that was written is on the disk. */
static int sync_git(struct trash *t, struct err *err)
{
	int fd = open(t->w.git_dir, DIR_FLAGS);
	int r = fd >= 0 ? syncfs(fd) : -1;

	if (r < 0)
		err_errno(err, "write %s to the disk", t->w.git_dir);
	if (fd >= 0)
		close(fd);
	return r;
}

static int verify(struct trash *t, int tree, struct err *err)
{
	git_repository *fresh = NULL;
	int r;

	if (git_repository_open(&fresh, t->w.git_dir) < 0)
		return repo_err(err, ERR_FAILED, "open %s", t->w.git_dir);
	r = snapshot_verify(&t->shot, fresh, tree, t->out, err);
	git_repository_free(fresh);
	return r;
}

static int save(struct trash *t, struct err *err)
{
	int tree = openat(t->w.parent, t->w.base, DIR_FLAGS), r = -1;

	if (tree < 0)
		return err_errno(err, "open %s", t->w.path);
	t->has_head = git_reference_name_to_id(&t->head, t->w.git, "HEAD") == 0;
	if (t->has_head)
		add_parent(t, &t->head);
	if (snapshot_write(&t->shot, t->repo.main, tree, t->out, err) == 0 &&
	    add_staged(t, err) == 0) {
		if (t->has_tip)
			add_parent(t, &t->tip);
		r = make_commit(t, &t->shot.tree,
				"All files, ignored ones too, as they were.",
				&t->commit, err);
	}
	if (r == 0 && (sync_git(t, err) < 0 || verify(t, tree, err) < 0 ||
		       make_ref(t, err) < 0 || sync_git(t, err) < 0))
		r = -1;
	close(tree);
	return r;
}

/* -- moving --------------------------------------------------------------- */

static cJSON *record(const struct trash *t)
{
	cJSON *o = cJSON_CreateObject();

	json_set_str(o, "ref", t->ref);
	json_set_str(o, "commit", git_oid_tostr_s(&t->commit));
	if (t->has_head)
		json_set_str(o, "head", git_oid_tostr_s(&t->head));
	if (t->has_tip)
		json_set_str(o, "tip", git_oid_tostr_s(&t->tip));
	json_set_int(o, "files", t->shot.files);
	json_set_int(o, "bytes", t->shot.bytes);
	json_set_strv(o, "unsaved", &t->shot.missing);
	json_set_str(o, "trash", t->path);
	return o;
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

static cJSON *read_record(const struct trash *t, struct err *err)
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

	if (t->bin >= 0 && faccessat(t->bin, "tree", F_OK, 0) == 0)
		o = read_record(t, err);
	else
		err_set(err, ERR_FAILED, "the worktree %s is gone", t->w.path);
	if (!o)
		return NULL;
	if (!t->w.admin_missing &&
	    renameat(t->w.admins, repo_basename(t->w.admin), t->bin, "entry") <
		0) {
		err_errno(err, "move git's entry %s to the trash", t->w.admin);
		cJSON_Delete(o);
		return NULL;
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
	if (t->bin >= 0 && faccessat(t->bin, "tree", F_OK, 0) == 0) {
		err_set(err, ERR_CONFLICT, "%s is in the way", t->path);
		return NULL;
	}
	if (save(t, err) < 0 || make_bin(t, err) < 0)
		return NULL;
	o = record(t);
	if (write_record(t, o, err) < 0 || output_go_on(t->out, err) < 0 ||
	    move(t, err) < 0) {
		cJSON_Delete(o);
		return NULL;
	}
	return o;
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

/* The branch that its HEAD is on, at the commit where it was. */
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
	if (git_reference_lookup(&ref, t->repo.main, name) == 0) {
		if (git_branch_is_checked_out(ref) > 0)
			r = err_set(err, ERR_CONFLICT,
				    "the branch %s is checked out elsewhere",
				    t->branch);
	} else if (git_reference_create(&ref, t->repo.main, name, &oid, 0,
					"afw trash restore") < 0) {
		r = repo_err(err, ERR_FAILED, "make the branch %s", t->branch);
	}
	git_reference_free(ref);
	free(name);
	return r;
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

/* Nothing is overwritten: rename onto a directory that is not empty fails,
 * and an empty one is in nobody's way. */
static int move_back(struct trash *t, struct err *err)
{
	const char *id = repo_basename(t->w.admin);

	if (renameat(t->bin, "entry", t->w.admins, id) < 0 &&
	    faccessat(t->bin, "entry", F_OK, 0) == 0)
		return err_errno(err, "put git's entry %s back", t->w.admin);
	if (renameat(t->bin, "tree", t->w.parent, t->w.base) == 0)
		return 0;
	err_errno(err, "put %s back", t->w.path);
	renameat(t->w.admins, id, t->bin, "entry");
	return -1;
}

static void delete_ref(struct trash *t, const cJSON *o)
{
	const char *ref = o ? json_str(o, "ref") : NULL;

	if (ref && strncmp(ref, REFS, strlen(REFS)) == 0)
		git_reference_remove(t->repo.main, ref);
}

static void drop_bin(struct trash *t)
{
	if (t->bin >= 0)
		unlinkat(t->bin, RECORD, 0);
	if (t->can >= 0)
		unlinkat(t->can, t->id, AT_REMOVEDIR);
	if (t->w.parent >= 0)
		unlinkat(t->w.parent, TRASH, AT_REMOVEDIR);
	rmdir(t->w.parent_path);
}

int worktree_untrash(struct output *out, const cJSON *req, cJSON *answer,
		     struct err *err)
{
	struct trash t;
	cJSON *o = NULL;
	int r = -1;

	if (open_all(&t, out, req, err) < 0)
		goto end;
	if (t.bin < 0) {
		err_set(err, ERR_FAILED, "%s is gone", t.path);
		goto end;
	}
	o = read_record(&t, err);
	if (!o)
		goto end;
	if (!t.w.missing && faccessat(t.bin, "tree", F_OK, 0) < 0) {
		r = 0; /* a run that died had put it back */
	} else if (!t.w.missing || !t.w.admin_missing) {
		err_set(err, ERR_CONFLICT, "there is a worktree at %s again",
			t.w.path);
		goto end;
	} else if (open_admins(&t, err) < 0 || restore_branch(&t, o, err) < 0 ||
		   move_back(&t, err) < 0) {
		goto end;
	}
	/* It is what the commit has, or more: that may go. */
	delete_ref(&t, o);
	drop_bin(&t);
	json_set_str(answer, "worktree", t.w.path);
	r = 0;
end:
	cJSON_Delete(o);
	finish(&t);
	return r;
}

int worktree_purge(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err)
{
	struct strv missing = {0};
	struct trash t;
	cJSON *o = NULL;
	int r = -1;

	if (open_all(&t, out, req, err) < 0)
		goto end;
	if (t.bin < 0) {
		r = 0;
		goto end;
	}
	o = read_record(&t, err);
	if (!o)
		goto end;
	json_strv(o, "unsaved", &missing);
	if (missing.n) {
		err_set(err, ERR_REFUSED,
			"%s/tree has what is in no commit: %s%s", t.path,
			missing.v[0], missing.n > 1 ? " and more" : "");
		err_hint(err, "look at it, and delete %s yourself", t.path);
		goto end;
	}
	if (delete_tree(t.bin, "tree", err) < 0 ||
	    delete_tree(t.bin, "entry", err) < 0)
		goto end;
	delete_ref(&t, o);
	drop_bin(&t);
	r = 0;
end:
	json_set_bool(answer, "purged", r == 0);
	strv_finish(&missing);
	cJSON_Delete(o);
	finish(&t);
	return r;
}
