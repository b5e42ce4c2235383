/*
 * turn.c - stores the worktree at the start of a turn, for a diff against it.
 *
 * Its tree is stored in the repository's object store and named by TURN_REF, a
 * reference of this worktree, deleted with it. git does not follow this name,
 * and prunes the objects when they are two weeks old.
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

	/* A diff against the turn before would look like one of this turn. */
	rc = git_reference_remove(w->git, TURN_REF);
	if (rc < 0 && rc != GIT_ENOTFOUND)
		return repo_err(err, ERR_FAILED, "forget the last turn");
	if (snapshot_take(req, odb, &head, &tree, err) < 0)
		return -1;
	if (git_reference_create(&ref, w->git, TURN_REF, &tree, 1, NULL) < 0)
		return repo_err(err, ERR_FAILED, "store the turn's start");
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
			"there is no snapshot of its last turn's start");
		err_hint(err, "there is one from its next turn on");
		return NULL;
	}
	if (snapshot_begin(&odb, w->git, err) == 0 &&
	    snapshot_take(req, odb, &head, &to, err) == 0 &&
	    (git_tree_lookup(&now, w->git, &to) < 0 ||
	     git_diff_tree_to_tree(&diff, w->git, before, now, NULL) < 0))
		repo_err(err, ERR_FAILED, "compare with its last turn's start");
	return diff;
}
