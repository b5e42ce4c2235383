/*
 * commit.c - commits the user's commit of a session's work, around git: before
 * it, checks the worktree and lists what git is to add; after it, prints what
 * was committed.
 *
 * In a sandbox git runs there and commits in the agent's private git directory,
 * from which harvest() has imported the commit. The user's key is not there, so
 * the commit is signed here, and replaced.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "worktrees/changes/changes.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/changes/work.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/checkpoint/undo_recover.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/filter.h"
#include "worktrees/git/identity.h"
#include "worktrees/git/index_entry.h"
#include "worktrees/git/sign.h"
#include "worktrees/git/sparse_index.h"
#include "worktrees/limits.h"
#include "worktrees/private/git_lock.h"
#include "worktrees/private/harvest.h"
#include "worktrees/operations.h"

#define MAX_LISTED  1000
#define ADD_FILE    "afw-commit.add"
#define GONE_FILE   "afw-commit.gone"
#define STORED_FILE "afw-commit.stored"

struct commit {
	struct repo_worktree w;
	const char *branch, *private;
	char *ref;
	git_oid head; /* of the branch */
	struct strv files;
	/* For git's index, each with a NUL after it. */
	struct buf add, gone, stored;
};

/* -- before git ------------------------------------------------------------ */

/* Compares with the index that the agent uses. */
static int use_private_index(struct commit *c, struct err *err)
{
	_free_ char *file = file_join(c->private, "index");
	_git_index_ git_index *index = NULL;
	int rc;

	if (access(c->private, F_OK) < 0 && errno == ENOENT) {
		err_set(err, ERR_FAILED, "its sandbox was never started");
		return err_hint(err,
				"`git -C %s add -A && git -C %s commit` "
				"commits what was changed meanwhile",
				c->w.path, c->w.path);
	}
	limits_no_links(c->private);
	rc = index_lock_open(file, false, c->w.git, &index, err);
	limits_no_links(NULL);
	return rc;
}

static int list_uncommitted(struct commit *c, cJSON *answer, struct err *err)
{
	_strv_ struct strv nested = {0};

	if (work_on_branch(&c->w, c->branch, err) < 0 ||
	    (c->private && use_private_index(c, err) < 0) ||
	    work_uncommitted(&c->w, &c->files, &nested, err) < 0)
		return -1;
	json_set_strv(answer, "nested", &nested);
	return limits_check_dirs(err) < 0
		   ? err_hint(err, "its files would not be in the commit: "
				   "make it readable, or name it in "
				   ".gitignore")
		   : 0;
}

/* In a sandbox git does not have the user's filters, and git-lfs would put its
 * objects into a directory that is deleted with the session: the file is stored
 * here, and git gets its id. */
static int add_stored(struct commit *c, const char *path, struct err *err)
{
	_free_ char *full = file_join(c->w.path, path);
	struct stat st;
	git_oid id;

	if (filter_refuse(c->w.git, path, err) < 0)
		return err_hint(err,
				"`git -C %s add -A && git -C %s commit` "
				"commits it, if you trust what is there",
				c->w.path, c->w.path);
	if (!filter_runs(c->w.git, path) || lstat(full, &st) < 0 ||
	    S_ISLNK(st.st_mode))
		return 0;
	if (filter_store(&id, c->w.git, path, err) < 0)
		return -1;
	buf_addf(&c->stored, "%s %s 0\t%s",
		 st.st_mode & S_IXUSR ? "100755" : "100644",
		 git_oid_tostr_s(&id), path);
	buf_add(&c->stored, "", 1);
	return 1;
}

/* True for an ignored file that the index lacks: `git rm --cached` keeps it. */
static bool is_untracked(const struct commit *c, git_index *index,
			 const char *path)
{
	int ignored = 0;

	return git_index_find(NULL, index, path) < 0 &&
	       git_ignore_path_is_ignored(&ignored, c->w.git, path) == 0 &&
	       ignored;
}

static int sort_file(struct commit *c, git_index *index, const char *path,
		     struct err *err)
{
	const git_index_entry *e = git_index_get_bypath(index, path, 0);
	struct buf *to = NULL;
	git_oid oid;
	int is;

	if (e && e->mode == GIT_FILEMODE_COMMIT) {
		if (submodule_head(&c->w, path, &oid))
			to = &c->add;
	} else {
		is = work_is_file(&c->w, path, err);
		if (is < 0)
			return -1;
		/* A sparse worktree leaves out what is skipped. */
		if (is == 0 && e && !index_entry_skipped(e))
			to = &c->gone;
		else if (is > 0 && !is_untracked(c, index, path))
			to = &c->add;
		is = to == &c->add && c->private ? add_stored(c, path, err) : 0;
		if (is != 0)
			return is < 0 ? -1 : 0;
	}
	if (to)
		buf_add(to, path, strlen(path) + 1);
	return 0;
}

/* A file that was staged as new, and deleted since, is not among the files. */
static int sort_files(struct commit *c, struct err *err)
{
	_git_index_ git_index *index = NULL;
	_git_diff_ git_diff *staged = changes_since(&c->w, &c->head, true, err);
	int rc = staged ? 0 : -1;

	if (rc == 0 && sparse_index_of(&index, c->w.git) < 0)
		rc = repo_err(err, ERR_FAILED, "read the index");
	for (size_t i = 0; rc == 0 && i < c->files.n; i++)
		rc = sort_file(c, index, c->files.v[i], err);
	for (size_t i = 0; rc == 0 && i < git_diff_num_deltas(staged); i++) {
		const git_diff_delta *d = git_diff_get_delta(staged, i);

		if (d->status == GIT_DELTA_ADDED &&
		    work_is_file(&c->w, d->new_file.path, NULL) == 0)
			rc = sort_file(c, index, d->new_file.path, err);
	}
	return rc;
}

/* Writes a list beside git's index, as it may be too long for the answer. */
static int write_list(const struct commit *c, const char *name,
		      const struct buf *list, cJSON *answer, struct err *err)
{
	_free_ char *path = file_join(c->w.admin, name);

	if (file_replace(AT_FDCWD, path, list->len ? list->data : "", list->len,
			 false, err) < 0)
		return -1;
	json_set_str(answer, strrchr(name, '.') + 1, path);
	return 0;
}

/* In a sandbox git's locks are taken, only to see whether git can: what the
 * agent has checked out, and whether another git is running. */
static int look_up(struct commit *c, const struct commit_request *req,
		   cJSON *answer, struct err *err)
{
	_git_lock_ struct git_lock lock = GIT_LOCK_NONE;

	if (list_uncommitted(c, answer, err) < 0)
		return -1;
	if (req->to_push)
		return c->files.n ? 0
				  : submodule_check_saved(&c->w, &req->place,
							  false, err);
	if (c->files.n == 0)
		return 0;
	json_set_str(answer, "git_dir", c->w.admin);
	json_set_str(answer, "head", git_oid_tostr_s(&c->head));
	if ((c->private &&
	     git_lock_take(&lock, &c->w, &req->place, &c->head, err) < 0) ||
	    sort_files(c, err) < 0 ||
	    write_list(c, ADD_FILE, &c->add, answer, err) < 0 ||
	    write_list(c, GONE_FILE, &c->gone, answer, err) < 0 ||
	    write_list(c, STORED_FILE, &c->stored, answer, err) < 0)
		return -1;
	return 0;
}

/* -- after git ------------------------------------------------------------- */

/* Makes the same commit, signed. */
static int make_signed(const struct commit *c, struct sign *sign, git_oid *out,
		       struct err *err)
{
	_identity_ struct identity who = {0};
	_git_commit_ git_commit *made = NULL, *head = NULL;
	_git_tree_ git_tree *tree = NULL;
	git_oid tip;
	int rc;

	if (git_reference_name_to_id(&tip, c->w.git, c->ref) < 0 ||
	    git_commit_lookup(&made, c->w.git, &tip) < 0 ||
	    git_commit_lookup(&head, c->w.git, &c->head) < 0 ||
	    git_commit_tree(&tree, made) < 0)
		return repo_err(err, ERR_FAILED, "read the commit");
	if (git_commit_parentcount(made) != 1 ||
	    !git_oid_equal(git_commit_parent_id(made, 0), &c->head))
		return err_set(err, ERR_CONFLICT,
			       "the branch %s was moved meanwhile", c->branch);
	if (identity_load(&who, c->w.git, err) < 0)
		return -1;
	rc = sign_commit(out, who.author, who.committer,
			 git_commit_message_encoding(made),
			 git_commit_message_raw(made), tree, 1,
			 (const git_commit *[]){head}, sign);
	return rc == 0 || rc == GIT_EUSER
		   ? rc
		   : repo_err(err, ERR_FAILED, "write the commit");
}

/* Signs the commit that git made in the sandbox, if it is to be; if that fails,
 * the branch is what it was. */
static int sign_made(struct commit *c, const git_oid *made,
		     const struct commit_request *req, cJSON *answer,
		     struct err *err)
{
	_git_lock_ struct git_lock lock = GIT_LOCK_NONE;
	struct sign sign;
	git_oid to;
	int rc = sign_load(&sign, c->w.git, &req->sign, c->private, err);

	if (rc == 0 && !sign.on)
		return 0;
	if (git_lock_take(&lock, &c->w, &req->place, made,
			  rc == 0 ? err : NULL) < 0)
		return -1;
	if (rc == 0)
		rc = make_signed(c, &sign, &to, err);
	if (private_commit_end(&lock.private, NULL, rc == 0 ? &to : &c->head,
			       rc == 0 ? err : NULL) < 0)
		return -1;
	git_lock_release(&lock);
	if (harvest(&req->place, answer, rc == 0 ? err : NULL) < 0)
		return -1;
	return rc;
}

/* Lists the files of the commit, which the agent or a hook may have changed
 * since it was looked up. */
static int list_committed(struct commit *c, const git_oid *tip, struct err *err)
{
	_git_tree_ git_tree *old = repo_tree(c->w.git, &c->head, err),
			    *new = old ? repo_tree(c->w.git, tip, err) : NULL;
	_git_diff_ git_diff *diff = NULL;

	if (!new)
		return -1;
	if (git_diff_tree_to_tree(&diff, c->w.git, old, new, NULL) < 0)
		return repo_err(err, ERR_FAILED, "list its files");
	for (size_t i = 0; i < git_diff_num_deltas(diff); i++)
		strv_add(&c->files, git_diff_get_delta(diff, i)->new_file.path);
	return 0;
}

/* head: the branch before git's commit. */
static int look_after(struct commit *c, const char *head,
		      const struct commit_request *req, cJSON *answer,
		      struct err *err)
{
	git_oid tip = c->head;

	if (git_oid_fromstr(&c->head, head) < 0)
		return err_set(err, ERR_USAGE, "bad request: head");
	if (git_oid_equal(&tip, &c->head))
		return err_set(err, ERR_CONFLICT, "git's commit is not on %s",
			       c->branch);
	if (c->private && sign_made(c, &tip, req, answer, err) < 0)
		return -1;
	if (git_reference_name_to_id(&tip, c->w.git, c->ref) < 0)
		return repo_err(err, ERR_FAILED, "read its branch %s",
				c->branch);
	json_set_str(answer, "commit", git_oid_tostr_s(&tip));
	return list_committed(c, &tip, err);
}

/* -------------------------------------------------------------------------- */

static void fill(const struct commit *c, cJSON *answer)
{
	_strv_ struct strv some = {0};

	for (size_t i = 0; i < c->files.n && i < MAX_LISTED; i++)
		strv_add(&some, c->files.v[i]);
	json_set_strv(answer, "files", &some);
	json_set_int(answer, "files_committed", (int64_t)c->files.n);
	json_set_str(answer, "branch", c->branch);
}

static void commit_finish(struct commit *c)
{
	strv_finish(&c->files);
	buf_finish(&c->add);
	buf_finish(&c->gone);
	buf_finish(&c->stored);
	free(c->ref);
	repo_worktree_finish(&c->w);
}

int worktree_commit(struct output *out, const struct commit_request *req,
		    cJSON *answer, struct err *err)
{
	CLEANUP(commit_finish)
	struct commit c = {.w = REPO_WORKTREE_NONE,
			   .branch = req->place.branch,
			   .private = req->place.private};
	const char *head = req->head;
	_close_ int lock = -1;
	int rc;

	if (repo_worktree_open(&c.w, &req->place, err) < 0 ||
	    (lock = checkpoint_lock(&c.w, out, err)) < 0 ||
	    undo_recover(&c.w, repo_share(c.w.git), &req->place, out, err) < 0)
		return -1;
	c.ref = mem_printf("refs/heads/%s", c.branch);
	if (git_reference_name_to_id(&c.head, c.w.git, c.ref) < 0) {
		if (work_on_branch(&c.w, c.branch, err) < 0)
			return -1;
		return repo_err(err, ERR_FAILED, "read its branch %s",
				c.branch);
	}
	rc = head ? look_after(&c, head, req, answer, err)
		  : look_up(&c, req, answer, err);
	fill(&c, answer);
	return rc;
}
