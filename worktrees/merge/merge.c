/*
 * merge.c - merges a session's branch into another one. Everything that can be
 * refused is checked before anything is changed; the branch moves last, in one
 * step, and only if it has not moved since the result was made.
 */
#include "worktrees/merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/gitfile.h"
#include "wire/tried.h"
#include "worktrees/changes/submodule.h"
#include "worktrees/changes/work.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/identity.h"
#include "worktrees/git/hooks.h"
#include "worktrees/operations.h"

/* Uncommitted work would not be merged, nor is what a submodule has. */
static int check_session(struct merge *m, struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_strv_ struct strv files = {0};

	if (repo_worktree_open(&w, &m->req->place, err) < 0 ||
	    work_on_branch(&w, m->branch, err) < 0 ||
	    work_uncommitted(&w, &files, NULL, err) < 0)
		return -1;
	if (!files.n)
		return submodule_check_saved(&w, &m->req->place, true, err);
	merge_refuse(m, "uncommitted", &files);
	return 0;
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

/* Returns whether into is a branch of the machine that made the session here.
 */
static bool is_of_another_machine(const struct merge *m)
{
	_free_ char *ref = mem_printf("refs/remotes/%s", m->into);
	git_oid at;

	return strncmp(m->into, GITFILE_HERE "/", strlen(GITFILE_HERE "/")) ==
		   0 &&
	       git_reference_name_to_id(&at, m->repo.main, ref) == 0;
}

/* If HEAD was detached when the worktree was made, into is a commit. */
static int no_branch(const struct merge *m, struct err *err)
{
	_free_ char *branch = NULL;
	git_oid oid;

	err_set(err, ERR_FAILED, "there is no branch %.200s in %s", m->into,
		m->repo.path);
	err_hint(err, "--into BRANCH names another; `git branch` lists them");
	if (is_of_another_machine(m)) {
		err_set(err, ERR_FAILED,
			"it was made from the branch %.200s of another machine",
			m->into + strlen(GITFILE_HERE "/"));
		return err_hint(err, "`afw -H URL merge NAME` there merges it "
				     "there; --into BRANCH merges it here");
	}
	if (strlen(m->into) != GIT_OID_HEXSZ ||
	    git_oid_fromstr(&oid, m->into) < 0)
		return -1;
	branch = branch_with(m, &oid);
	err_set(err, ERR_FAILED,
		"it was made from the commit %.10s, not from a branch",
		m->into);
	return err_hint(err,
			branch ? "--into %s names a branch that has this commit"
			       : "name a branch with --into; `git branch NAME "
				 "%s` makes one at this commit",
			branch ? branch : m->into);
}

/* The end of a try checks the branch out again, where it was before. */
static int check_tried(const struct merge *m, struct err *err)
{
	_tried_ struct tried t = {0};

	if (tried_load(&t, m->repo.git_dir, err) < 0)
		return -1;
	if (!t.head || strcmp(t.head, m->into_ref) != 0)
		return 0;
	err_set(err, ERR_CONFLICT, "%s has the state of '%.64s' instead of %s",
		m->repo.path, t.name, m->into);
	return err_hint(err, "`afw try --end` puts back what was there before");
}

/* If a branch is a symbolic reference, its target moves. */
static int find_branches(struct merge *m, struct err *err)
{
	_free_ char *ref = mem_printf("refs/heads/%s", m->branch),
		    *into = mem_printf("refs/heads/%s", m->into);

	if (git_reference_name_to_id(&m->from, m->repo.main, ref) < 0)
		return err_set(err, ERR_FAILED, "its branch %s is gone",
			       m->branch);
	m->into_ref = repo_resolve(m->repo.main, into, &m->old);
	if (!m->into_ref && m->req->dry_run && is_of_another_machine(m)) {
		_free_ char *there = mem_printf("refs/remotes/%s", m->into);

		m->into_ref = repo_resolve(m->repo.main, there, &m->old);
	}
	if (!m->into_ref)
		return no_branch(m, err);
	if ((m->moves || m->req->candidate) && check_tried(m, err) < 0)
		return -1;
	m->tip = m->old;
	if (m->req->onto)
		git_oid_fromstr(&m->old, m->req->onto);
	return 0;
}

static int set_branch(struct merge *m, git_transaction *tx,
		      const git_signature *who, struct err *err)
{
	_free_ char *log = mem_printf("afw merge %s: %s", m->branch, m->how);
	git_oid now;
	int rc =
	    git_transaction_set_target(tx, m->into_ref, &m->result, who, log);

	if (rc == 0)
		rc = git_transaction_commit(tx);
	if (rc < 0)
		repo_err(err, ERR_FAILED, "move the branch %s", m->into);
	/* The failure may have come after the move. */
	if (rc < 0 &&
	    git_reference_name_to_id(&now, m->repo.main, m->into_ref) == 0 &&
	    git_oid_equal(&now, &m->result))
		rc = 0;
	return rc;
}

/* Locks the branch, as git does, from here to the end. */
static int move(struct merge *m, struct target *t, git_transaction *tx,
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
	else if (t->git)
		rc = target_update(t, m, err);
	if (rc < 0 || m->refused)
		return rc;
	rc = set_branch(m, tx, who, err);
	if (rc == 0)
		target_complete(t);
	else
		target_undo(t, err);
	return rc;
}

static int find_tree(struct merge *m, struct err *err)
{
	_git_tree_ git_tree *tree = repo_tree(m->repo.main, &m->result, err);

	if (tree)
		m->tree = *git_tree_id(tree);
	return tree ? 0 : -1;
}

static int apply(struct merge *m, struct target *t, struct err *err)
{
	git_repository *git = t->git ? t->git : m->repo.main;
	_git_transaction_ git_transaction *tx = NULL;
	_identity_ struct identity who = {0};

	/* The files are those of the branch, not of another commit. */
	if (!m->moves)
		return t->git && git_oid_equal(&m->old, &m->tip)
			   ? target_update(t, m, err)
			   : 0;
	/* For the reflog: the committer of the commit that was made. */
	if (!m->req->checked || git_oid_equal(&m->result, &m->from) ||
	    identity_take_committer(&who, git, &m->result) < 0) {
		identity_finish(&who);
		if (identity_load_committer(&who, git, err) < 0)
			return -1;
	}
	if (git_transaction_new(&tx, git) < 0)
		return repo_err(err, ERR_FAILED, "lock the branch %s", m->into);
	return move(m, t, tx, who.committer, err);
}

/* Lists the hooks that git would run in that worktree for this merge. */
static void find_hooks(const struct merge *m, const struct target *t)
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

	if (t->git)
		hooks_set_not_run(t->git, t->path,
				  strcmp(m->how, "merge") == 0	  ? merge
				  : strcmp(m->how, "squash") == 0 ? squash
				  : strcmp(m->how, "rebase") == 0 ? rebase
								  : forward,
				  m->answer);
}

static void merge_finish(struct merge *m)
{
	free(m->into_ref);
	free(m->message);
	buf_finish(&m->config);
	repo_finish(&m->repo);
}

/* The result was made, and checked, before: only if the branch is still where
 * it was then. */
static void use_checked(struct merge *m)
{
	git_oid_fromstr(&m->result, m->req->checked);
	m->how =
	    git_oid_equal(&m->result, &m->from) ? "fast-forward" : m->req->how;
}

static int merge(struct merge *m, struct output *out, struct err *err)
{
	_target_ struct target t = {.swap = {.dir = -1, .worktree = -1}};
	int rc = 0;

	if ((!m->req->fetched && !m->req->checked &&
	     check_session(m, err) < 0) ||
	    find_branches(m, err) < 0)
		return -1;
	if (m->refused)
		return 0;
	if (m->req->checked)
		use_checked(m);
	else
		rc = merge_plan(m, err);
	json_set_str(m->answer, "how", m->how);
	json_set_str(m->answer, "from", git_oid_tostr_s(&m->old));
	if (rc < 0 || m->refused || git_oid_equal(&m->old, &m->result))
		return rc;
	json_set_str(m->answer, "to", git_oid_tostr_s(&m->result));
	/* the last moment at which a signal ends it */
	if (output_check(out, err) < 0 || find_tree(m, err) < 0 ||
	    target_open(&t, m, err) < 0)
		return -1;
	find_hooks(m, &t);
	if (m->moves && !m->req->fetched && !m->req->checked &&
	    merge_bring_modules(m, err) < 0)
		return -1;
	return apply(m, &t, err);
}

int worktree_merge(struct output *out, const struct merge_request *req,
		   cJSON *answer, struct err *err)
{
	CLEANUP(merge_finish)
	struct merge m = {.req = req,
			  .answer = answer,
			  .out = out,
			  .branch = req->place.branch,
			  .into = req->into,
			  .moves = !req->dry_run && !req->candidate,
			  .squash = strcmp(req->how, "squash") == 0,
			  .rebase = strcmp(req->how, "rebase") == 0};

	if ((req->message &&
	     !(m.message = work_message(req->message, false, err))) ||
	    repo_open(&m.repo, req->place.repository, err) < 0)
		return -1;
	m.umask = repo_share(m.repo.main);
	json_set_str(answer, "branch", m.branch);
	json_set_str(answer, "into", m.into);
	return merge(&m, out, err);
}
