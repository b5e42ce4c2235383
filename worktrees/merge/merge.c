/*
 * merge.c - a session's branch into another one. All that can be refused is
 * before anything is touched; the branch moves last, in one step, and only
 * from where it was when the result was made.
 */
#include "worktrees/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "worktrees/changes/work.h"
#include "worktrees/git/identity.h"
#include "worktrees/merge/hooks.h"
#include "worktrees/worktree.h"

#define MAX_FILES 200

void merge_refuse(struct merge *m, const char *why, const struct strv *files)
{
	struct strv some = {0};

	for (size_t i = 0; i < files->n && i < MAX_FILES; i++)
		strv_add(&some, files->v[i]);
	json_set_str(m->answer, "refused", why);
	json_set_strv(m->answer, "files", &some);
	json_set_int(m->answer, "files_refused", (int64_t)files->n);
	strv_finish(&some);
	m->refused = true;
}

/* What no commit has would not be merged. */
static int check_session(struct merge *m, const cJSON *req, struct err *err)
{
	struct repo_worktree w;
	struct strv files = {0};
	int rc = repo_worktree_open(&w, req, err);

	if (rc == 0)
		rc = work_on_branch(&w, m->branch, err);
	if (rc == 0)
		rc = work_uncommitted(&w, &files, err);
	if (rc == 0 && files.n)
		merge_refuse(m, "uncommitted", &files);
	strv_finish(&files);
	repo_worktree_finish(&w);
	return rc;
}

/* Finds a branch that has the commit, but no branch of a session. Returns it,
 * to be freed, or NULL. */
static char *branch_with(const struct merge *m, const git_oid *commit)
{
	size_t prefix = strcspn(m->branch, "/");
	git_branch_iterator *it = NULL;
	git_reference *ref = NULL;
	char *found = NULL;
	git_branch_t type;

	if (git_branch_iterator_new(&it, m->repo.main, GIT_BRANCH_LOCAL) < 0)
		return NULL;
	while (!found && git_branch_next(&ref, &type, it) == 0) {
		const char *name = git_reference_shorthand(ref);
		const git_oid *tip = git_reference_target(ref);

		if (tip && strncmp(name, m->branch, prefix + 1) != 0 &&
		    (git_oid_equal(tip, commit) ||
		     git_graph_descendant_of(m->repo.main, tip, commit) > 0))
			found = mem_strdup(name);
		git_reference_free(ref);
	}
	git_branch_iterator_free(it);
	return found;
}

/* If HEAD was detached when the worktree was made, into is a commit. */
static int no_branch(const struct merge *m, struct err *err)
{
	char *branch;
	git_oid oid;

	err_set(err, ERR_FAILED, "there is no branch %.200s in %s", m->into,
		m->repo.path);
	err_hint(err, "--into BRANCH names another; `git branch` lists them");
	if (strlen(m->into) != GIT_OID_HEXSZ ||
	    git_oid_fromstr(&oid, m->into) < 0)
		return -1;
	branch = branch_with(m, &oid);
	err_set(err, ERR_FAILED,
		"it was made from the commit %.10s, not from a branch",
		m->into);
	err_hint(err,
		 branch ? "--into %s names a branch that has this commit"
			: "name a branch with --into; `git branch NAME "
			  "%s` makes one at this commit",
		 branch ? branch : m->into);
	free(branch);
	return -1;
}

/* A branch that is a symbolic reference stands for the one that moves. */
static int find_branches(struct merge *m, struct err *err)
{
	char *ref = mem_printf("refs/heads/%s", m->branch),
	     *into = mem_printf("refs/heads/%s", m->into);
	int rc = 0;

	m->into_ref = repo_resolve(m->repo.main, into, &m->old);
	if (git_reference_name_to_id(&m->from, m->repo.main, ref) < 0)
		rc = err_set(err, ERR_FAILED, "its branch %s is gone",
			     m->branch);
	else if (!m->into_ref)
		rc = no_branch(m, err);
	free(ref);
	free(into);
	return rc;
}

static int set_branch(struct merge *m, git_transaction *tx,
		      const git_signature *who, struct err *err)
{
	char *log = mem_printf("afw merge %s: %s", m->branch, m->how);
	git_oid now;
	int rc =
	    git_transaction_set_target(tx, m->into_ref, &m->result, who, log);

	if (rc == 0)
		rc = git_transaction_commit(tx);
	if (rc < 0)
		repo_err(err, ERR_FAILED, "move the branch %s", m->into);
	/* Something else may have failed after that. */
	if (rc < 0 &&
	    git_reference_name_to_id(&now, m->repo.main, m->into_ref) == 0 &&
	    git_oid_equal(&now, &m->result))
		rc = 0;
	free(log);
	return rc;
}

/* The branch is locked, as git does it, from here to the end. */
static int move(struct merge *m, struct holder *h, git_transaction *tx,
		const git_signature *who, struct err *err)
{
	git_oid now;
	int rc = 0;

	if (git_transaction_lock_ref(tx, m->into_ref) < 0)
		rc = repo_err(err, ERR_FAILED, "lock the branch %s", m->into);
	else if (git_reference_name_to_id(&now, m->repo.main, m->into_ref) <
		     0 ||
		 !git_oid_equal(&now, &m->old))
		rc = err_set(err, ERR_CONFLICT,
			     "the branch %s was moved meanwhile", m->into);
	else if (h->git)
		rc = holder_update(h, m, err);
	if (rc < 0 || m->refused)
		return rc;
	rc = set_branch(m, tx, who, err);
	if (rc == 0)
		holder_done(h);
	else
		holder_undo(h, err);
	return rc;
}

static int find_tree(struct merge *m, struct err *err)
{
	git_tree *tree = repo_tree(m->repo.main, &m->result, err);

	if (tree)
		m->tree = *git_tree_id(tree);
	git_tree_free(tree);
	return tree ? 0 : -1;
}

static int apply(struct merge *m, struct holder *h, struct err *err)
{
	git_repository *git = h->git ? h->git : m->repo.main;
	git_transaction *tx = NULL;
	struct identity who;
	int rc;

	if (m->dry_run)
		return h->git ? holder_update(h, m, err) : 0;
	rc = identity_load(&who, git, err);
	if (rc == 0 && git_transaction_new(&tx, git) < 0)
		rc = repo_err(err, ERR_FAILED, "lock the branch %s", m->into);
	if (rc == 0)
		rc = move(m, h, tx, who.committer, err);
	git_transaction_free(tx);
	identity_finish(&who);
	return rc;
}

/* What git would run in that worktree, for the same result. */
static void find_hooks(const struct merge *m, const struct holder *h)
{
	static const char
	    *const forward[] = {"post-merge", NULL},
		   *const merge[] = {"pre-merge-commit", "prepare-commit-msg",
				     "commit-msg", "post-merge", NULL},
		   *const squash[] = {"post-merge",	    "pre-commit",
				      "prepare-commit-msg", "commit-msg",
				      "post-commit",	    NULL},
		   *const rebase[] = {"pre-rebase",	    "post-checkout",
				      "prepare-commit-msg", "post-commit",
				      "post-rewrite",	    NULL};

	if (h->git)
		hooks_set_not_run(h->git, h->path,
				  strcmp(m->how, "merge") == 0	  ? merge
				  : strcmp(m->how, "squash") == 0 ? squash
				  : strcmp(m->how, "rebase") == 0 ? rebase
								  : forward,
				  m->answer);
}

static int merge(struct merge *m, const cJSON *req, struct output *out,
		 struct err *err)
{
	struct holder h = {.swap = {.dir = -1, .worktree = -1}};
	int rc;

	if (find_branches(m, err) < 0 || check_session(m, req, err) < 0)
		return -1;
	if (m->refused)
		return 0;
	rc = merge_plan(m, err);
	json_set_str(m->answer, "how", m->how);
	json_set_str(m->answer, "from", git_oid_tostr_s(&m->old));
	if (rc < 0 || m->refused || git_oid_equal(&m->old, &m->result))
		return rc;
	json_set_str(m->answer, "to", git_oid_tostr_s(&m->result));
	/* the last moment to end it from outside */
	rc = output_go_on(out, err);
	if (rc == 0)
		rc = find_tree(m, err);
	if (rc == 0)
		rc = holder_open(&h, m, err);
	if (rc == 0)
		find_hooks(m, &h);
	if (rc == 0)
		rc = apply(m, &h, err);
	holder_finish(&h);
	return rc;
}

int worktree_merge(struct output *out, const cJSON *req, cJSON *answer,
		   struct err *err)
{
	const char *how = json_str_or(req, "how", "merge");
	struct merge m = {.req = req,
			  .answer = answer,
			  .out = out,
			  .branch = json_str_or(req, "branch", ""),
			  .into = json_str_or(req, "into", ""),
			  .squash = strcmp(how, "squash") == 0,
			  .rebase = strcmp(how, "rebase") == 0,
			  .dry_run = json_bool(req, "dry_run", false)};
	const char *message = json_str(req, "message");
	int rc;

	if (message && !(m.message = work_message(message, false, err)))
		return -1;
	if (repo_open(&m.repo, json_str(req, "repository"), err) < 0) {
		free(m.message);
		return -1;
	}
	m.umask = repo_share(m.repo.main);
	json_set_str(answer, "branch", m.branch);
	json_set_str(answer, "into", m.into);
	rc = merge(&m, req, out, err);
	free(m.into_ref);
	free(m.message);
	repo_finish(&m.repo);
	return rc;
}
