/*
 * store_work.c - the operation snapshot: makes a commit of a worktree as it is,
 * for other worktrees and machines.
 */
#include <stdlib.h>

#include "base/gitfile.h"
#include "worktrees/changes/snapshot.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/operations.h"

int worktree_snapshot(struct output *out, const struct snapshot_request *req,
		      cJSON *answer, struct err *err)
{
	_free_ char *name = mem_printf(GITFILE_WORK "%s", req->place.branch);
	_repo_ struct repo repo = {0};
	_git_reference_ git_reference *ref = NULL;
	git_oid id;
	bool changed;

	if (repo_open(&repo, req->place.repository, err) < 0)
		return -1;
	repo_share(repo.main);
	if (snapshot_store(&req->place, repo.main, &id, &changed, err) < 0)
		return -1;
	if (git_reference_create(&ref, repo.main, name, &id, 1, NULL) < 0)
		return repo_err(err, ERR_FAILED, "make %s", name);
	json_set_str(answer, "ref", name);
	json_set_str(answer, "commit", git_oid_tostr_s(&id));
	json_set_bool(answer, "uncommitted", changed);
	return 0;
}
