/*
 * commit.c - what is in no commit of a session's worktree, in one, on its
 * branch. Objects first, then git's index, then the branch, each in one step.
 *
 * In a private git directory the agent's git has both: the commit is made in
 * the repository, put there, and comes home as the agent's own do (harvest.c),
 * wherever this ends.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "worktrees/identity.h"
#include "worktrees/index_lock.h"
#include "worktrees/limits.h"
#include "worktrees/private_commit.h"
#include "worktrees/private_git.h"
#include "worktrees/work.h"
#include "worktrees/worktree.h"

#define MAX_LISTED 1000

struct commit {
	struct repo_worktree w;
	const char *branch, *private;
	char *ref, *message;
	git_oid head, oid; /* before, and the new one */
	struct strv files;
	struct identity who;
	struct index_lock lock;
	git_index *index;
};

static int add_file(struct commit *c, const char *path, struct err *err)
{
	char *filter = work_filter(c->w.git, path);
	int rc = 0;

	if (filter) {
		err_set(err, ERR_REFUSED,
			"%s has the filter %s, which afw does not run", path,
			filter);
		rc = err_hint(err, "git add, in %s, if you trust what is there",
			      c->w.path);
	} else if (git_index_add_bypath(c->index, path) < 0) {
		rc = repo_err(err, ERR_FAILED, "add %s", path);
	}
	free(filter);
	return rc;
}

/* Meanwhile the agent may have put a link to a file of the user's there. */
static int add_files(struct commit *c, struct output *out, struct err *err)
{
	int rc = 0;

	limits_no_links(c->w.path);
	for (size_t i = 0; rc == 0 && i < c->files.n; i++) {
		const char *path = c->files.v[i];

		rc = output_go_on(out, err);
		if (rc == 0 && work_is_file(&c->w, path))
			rc = add_file(c, path, err);
		else if (rc == 0)
			git_index_remove_bypath(c->index, path);
	}
	limits_no_links(NULL);
	return rc;
}

static int make(struct commit *c, struct err *err)
{
	const git_commit *parents[1];
	git_commit *head = NULL;
	git_tree *tree = NULL;
	git_oid oid;
	int rc = -1;

	if (git_index_write_tree(&oid, c->index) < 0 ||
	    git_tree_lookup(&tree, c->w.git, &oid) < 0 ||
	    git_commit_lookup(&head, c->w.git, &c->head) < 0) {
		repo_err(err, ERR_FAILED, "write the tree");
		goto out;
	}
	parents[0] = head;
	if (git_commit_create(&c->oid, c->w.git, NULL, c->who.author,
			      c->who.committer, NULL, c->message, tree, 1,
			      parents) < 0)
		repo_err(err, ERR_FAILED, "write the commit");
	else
		rc = 0;
out:
	git_tree_free(tree);
	git_commit_free(head);
	return rc;
}

/* The index to be is lock's copy: in file, or git's own lock (NULL). */
static int make_commit(struct commit *c, const char *file, struct output *out,
		       struct err *err)
{
	char *index = file_join(c->w.admin, "index");
	int rc = index_lock_take(&c->lock, index, file, err);

	free(index);
	if (rc < 0 ||
	    index_lock_open(c->lock.lock, c->w.git, &c->index, err) < 0 ||
	    add_files(c, out, err) < 0)
		return -1;
	return make(c, err);
}

static int commit_here(struct commit *c, struct output *out, struct err *err)
{
	git_transaction *tx = NULL;
	git_oid now;
	char *log = mem_printf("commit: %.*s", (int)strcspn(c->message, "\n"),
			       c->message);
	int rc;

	if (git_transaction_new(&tx, c->w.git) < 0 ||
	    git_transaction_lock_ref(tx, c->ref) < 0)
		rc = repo_err(err, ERR_FAILED, "lock the branch %s", c->branch);
	else if (git_reference_name_to_id(&now, c->w.git, c->ref) < 0 ||
		 !git_oid_equal(&now, &c->head))
		rc = err_set(err, ERR_CONFLICT,
			     "the branch %s was moved meanwhile", c->branch);
	else
		rc = make_commit(c, NULL, out, err);
	if (rc == 0)
		rc = index_lock_end(&c->lock, c->index, err);
	if (rc == 0 && (git_transaction_set_target(tx, c->ref, &c->oid,
						   c->who.committer, log) < 0 ||
			git_transaction_commit(tx) < 0))
		rc = repo_err(err, ERR_FAILED, "move the branch %s", c->branch);
	git_transaction_free(tx);
	free(log);
	return rc;
}

/* What is not looked into at home (harvest.c) is, there. */
static int show_submodules(git_index *index)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < git_index_entrycount(index); i++) {
		git_index_entry e = *git_index_get_byindex(index, i);

		if (e.mode != GIT_FILEMODE_COMMIT)
			continue;
		e.flags_extended &= (uint16_t)~GIT_INDEX_ENTRY_SKIP_WORKTREE;
		rc = git_index_add(index, &e);
	}
	return rc == 0 ? git_index_write(index) : rc;
}

static int commit_private(struct commit *c, const cJSON *req,
			  struct output *out, cJSON *answer, struct err *err)
{
	char *file = mem_printf("%s.index", c->private);
	struct private_commit p = {0};
	int rc = private_commit_begin(&p, c->private, c->branch, &c->head, err);

	if (rc == 0)
		rc = make_commit(c, file, out, err);
	if (rc == 0 && show_submodules(c->index) < 0)
		rc = repo_err(err, ERR_FAILED, "write the index %s", file);
	if (rc == 0)
		rc = private_commit_end(&p, file, &c->oid, err);
	private_commit_finish(&p);
	free(file);
	return rc == 0 ? harvest(req, answer, err) : -1;
}

static int look(struct commit *c, cJSON *answer, struct err *err)
{
	struct strv some = {0};

	if (work_on_branch(&c->w, c->branch, err) < 0 ||
	    work_uncommitted(&c->w, &c->files, err) < 0)
		return -1;
	if (git_reference_name_to_id(&c->head, c->w.git, c->ref) < 0)
		return repo_err(err, ERR_FAILED, "read its branch %s",
				c->branch);
	for (size_t i = 0; i < c->files.n && i < MAX_LISTED; i++)
		strv_add(&some, c->files.v[i]);
	json_set_strv(answer, "files", &some);
	json_set_int(answer, "files_committed", (int64_t)c->files.n);
	json_set_str(answer, "branch", c->branch);
	strv_finish(&some);
	return 0;
}

int worktree_commit(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err)
{
	struct commit c = {.branch = json_str_or(req, "branch", ""),
			   .private = json_str(req, "private")};
	const char *message = json_str(req, "message");
	int rc = repo_worktree_open(&c.w, req, err);

	c.ref = mem_printf("refs/heads/%s", c.branch);
	if (rc == 0)
		rc = look(&c, answer, err);
	if (rc == 0 && message && c.files.n) {
		c.message = work_message(
		    message, json_bool(req, "comments", false), err);
		rc = c.message ? identity_load(&c.who, c.w.git, err) : -1;
		if (rc == 0)
			rc = c.private
				 ? commit_private(&c, req, out, answer, err)
				 : commit_here(&c, out, err);
		if (rc == 0)
			json_set_str(answer, "commit", git_oid_tostr_s(&c.oid));
	}
	git_index_free(c.index);
	index_lock_finish(&c.lock);
	identity_finish(&c.who);
	strv_finish(&c.files);
	free(c.ref);
	free(c.message);
	repo_worktree_finish(&c.w);
	return rc;
}
