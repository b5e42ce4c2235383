/* checkpoint_diff.c - what has changed since a checkpoint. */
#include "worktrees/checkpoint/checkpoint_diff.h"

#include "worktrees/changes/snapshot.h"
#include "worktrees/checkpoint/checkpoint.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/git/tree_diff.h"

#define COUNTED_BYTES (1024 * 1024) /* as status counts lines */

git_diff *checkpoint_compare(git_repository *git, const git_oid *from,
			     const git_oid *to, struct err *err)
{
	_git_tree_ git_tree *old = NULL, *new = NULL;
	git_diff *diff = NULL;

	if (git_tree_lookup(&old, git, from) < 0 ||
	    git_tree_lookup(&new, git, to) < 0 ||
	    tree_diff_git(&diff, git, old, new, COUNTED_BYTES) < 0)
		repo_err(err, ERR_FAILED, "compare two checkpoints");
	return diff;
}

static int find_from(struct checkpoint *c, const struct checkpoint_log *log,
		     const struct repo_worktree *w,
		     const struct diff_request *req, struct err *err)
{
	int rc;

	if (req->from)
		return checkpoint_find(c, log, w->git, req->from, err);
	rc = checkpoint_find_kind(c, log, w->git, "turn-begin", log->n, err);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	err_set(err, ERR_FAILED,
		"there is no checkpoint of its last turn's start");
	return err_hint(err, "there is one from its next turn on");
}

/* Stores the present files in memory. */
static int find_now(git_oid *tree, const struct repo_worktree *w,
		    const struct diff_request *req, struct err *err)
{
	_git_odb_ git_odb *odb = NULL;
	_checkpoint_ struct checkpoint c = {0};
	_scan_ struct scan s = {.w = w, .file_max = CHECKPOINT_FILE_MAX};

	if (snapshot_begin(&odb, w->git, err) < 0)
		return -1;
	s.odb = odb;
	if (checkpoint_take(&c, &s, req->place.private, NULL, err) < 0)
		return -1;
	*tree = c.files;
	return 0;
}

static int find_to(git_oid *tree, const struct checkpoint_log *log,
		   const struct repo_worktree *w,
		   const struct diff_request *req, struct err *err)
{
	_checkpoint_ struct checkpoint c = {0};

	if (!req->to)
		return find_now(tree, w, req, err);
	if (checkpoint_find(&c, log, w->git, req->to, err) < 0)
		return -1;
	*tree = c.files;
	return 0;
}

git_diff *checkpoint_diff(const struct repo_worktree *w,
			  const struct diff_request *req, struct err *err)
{
	_checkpoint_log_ struct checkpoint_log log = {0};
	_checkpoint_ struct checkpoint from = {0};
	git_oid to;

	if (checkpoint_log_read(&log, w, err) < 0 ||
	    find_from(&from, &log, w, req, err) < 0 ||
	    find_to(&to, &log, w, req, err) < 0)
		return NULL;
	return checkpoint_compare(w->git, &from.files, &to, err);
}
