/*
 * uncommitted.c - puts the uncommitted changes of another worktree into a new
 * one. They are a commit whose parent is the base, made by git there; here they
 * are uncommitted again.
 */
#include <sys/stat.h>

#include "worktrees/create/create.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"

int create_find_changes(struct create *c, struct err *err)
{
	_git_commit_ git_commit *commit = NULL;
	git_oid id;

	if (!c->req->changes)
		return 0;
	if (git_oid_fromstr(&id, c->req->changes) < 0 ||
	    git_commit_lookup(&commit, c->repo.main, &id) < 0)
		return repo_err(err, ERR_FAILED, "find the changes");
	c->to.files = *git_commit_tree_id(commit);
	if (git_commit_parentcount(commit) > 0 &&
	    git_oid_equal(git_commit_parent_id(commit, 0), &c->base.commit))
		return 0;
	err_set(err, ERR_CONFLICT,
		"the changes here are changes of another commit than %s",
		c->base.name);
	return err_hint(err, "--base HEAD starts from their commit");
}

/* Only what differs: a sparse worktree lacks files. */
static int checkout(git_repository *git, const git_tree *before,
		    const git_tree *after, struct err *err)
{
	struct tree_changes changes;
	_strv_ struct strv paths = {0};
	git_checkout_options opt;
	int rc = tree_diff(&changes, git, before, after);

	for (size_t i = 0; i < changes.n; i++)
		strv_add(&paths, changes.v[i].path);
	tree_changes_finish(&changes);
	git_checkout_options_init(&opt, GIT_CHECKOUT_OPTIONS_VERSION);
	opt.checkout_strategy = GIT_CHECKOUT_FORCE |
				GIT_CHECKOUT_DONT_UPDATE_INDEX |
				GIT_CHECKOUT_DISABLE_PATHSPEC_MATCH;
	opt.paths = (git_strarray){paths.v, paths.n};
	if (rc == 0 && paths.n)
		rc = git_checkout_tree(git, (const git_object *)after, &opt);
	return rc < 0 ? repo_err(err, ERR_FAILED, "make the changed files") : 0;
}

int create_add_changes(struct create *c, struct err *err)
{
	_git_repository_ git_repository *git = NULL;
	_git_tree_ git_tree *before = NULL, *after = NULL;
	int rc;

	if (!c->req->changes)
		return 0;
	if (repo_open_git(&git, c->place.path) < 0 ||
	    git_tree_lookup(&before, git, &c->base.tree) < 0 ||
	    git_tree_lookup(&after, git, &c->to.files) < 0)
		return repo_err(err, ERR_FAILED, "open the new worktree");
	if (checkout(git, before, after, err) < 0)
		return -1;
	c->to.umask = umask(0);
	umask(c->to.umask);
	rc = create_add_checkpoint(c, "with changes", err);
	umask(c->to.umask);
	return rc;
}
