/*
 * turn.c - the worktree as it is when a turn begins, for a diff against it.
 *
 * Its tree goes into the repository's object store and is named by TURN_REF,
 * a reference of the worktree alone, which goes with it. git knows of none
 * that is named so, and tidies the objects away when they are two weeks old.
 */
#include "worktrees/changes/turn.h"

#include "worktrees/changes/snapshot.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/operations.h"

static int remember(const struct repo_worktree *w, const cJSON *req,
		    git_odb *odb, struct err *err)
{
	git_reference *ref = NULL;
	git_oid head, tree;
	int rc;

	/* A diff against the turn before would look like one of this. */
	rc = git_reference_remove(w->git, TURN_REF);
	if (rc < 0 && rc != GIT_ENOTFOUND)
		return repo_err(err, ERR_FAILED, "forget the last turn");
	if (snapshot_take(req, odb, &head, &tree, err) < 0)
		return -1;
	if (git_reference_create(&ref, w->git, TURN_REF, &tree, 1, NULL) < 0)
		return repo_err(err, ERR_FAILED, "keep how the turn began");
	git_reference_free(ref);
	return 0;
}

int worktree_turn(struct output *out, const cJSON *req, cJSON *answer,
		  struct err *err)
{
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	_git_odb_ git_odb *odb = NULL;

	if (repo_worktree_open(&w, req, err) < 0)
		return -1;
	if (git_repository_odb(&odb, w.git) < 0)
		return repo_err(err, ERR_FAILED, "open the object store");
	return remember(&w, req, odb, err);
}

git_diff *turn_diff(const struct repo_worktree *w, const cJSON *req,
		    struct err *err)
{
	_git_odb_ git_odb *odb = NULL;
	_git_tree_ git_tree *before = NULL, *now = NULL;
	git_oid from, head, to;
	git_diff *diff = NULL;

	if (git_reference_name_to_id(&from, w->git, TURN_REF) < 0 ||
	    git_tree_lookup(&before, w->git, &from) < 0) {
		err_set(err, ERR_FAILED,
			"it is not known how its last turn began");
		err_hint(err, "it is, from its next turn on");
		return NULL;
	}
	if (snapshot_begin(&odb, w->git, err) == 0 &&
	    snapshot_take(req, odb, &head, &to, err) == 0 &&
	    (git_tree_lookup(&now, w->git, &to) < 0 ||
	     git_diff_tree_to_tree(&diff, w->git, before, now, NULL) < 0))
		repo_err(err, ERR_FAILED,
			 "compare with how its last turn began");
	return diff;
}
