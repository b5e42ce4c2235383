/*
 * store_work.c - the operation snapshot: makes a commit of a worktree as it is,
 * for other worktrees and machines.
 */
#include <stdlib.h>

#include "base/gitfile.h"
#include "worktrees/changes/snapshot.h"
#include "worktrees/git/cleanup.h"
#include "worktrees/operations.h"

/* Sets *id to a commit of the tree after head. */
static int make_commit(git_oid *id, git_repository *git, const git_oid *head,
		       const git_oid *tree, struct err *err)
{
	_git_commit_ git_commit *parent = NULL;
	_git_tree_ git_tree *files = NULL;
	git_signature *who = NULL;
	int rc = git_commit_lookup(&parent, git, head);

	if (rc == 0)
		rc = git_tree_lookup(&files, git, tree);
	if (rc == 0)
		rc = git_signature_now(&who, "afw", "afw@localhost");
	if (rc == 0)
		rc = git_commit_create(id, git, NULL, who, who, NULL,
				       "uncommitted changes\n", files, 1,
				       (const git_commit *[]){parent});
	git_signature_free(who);
	return rc < 0 ? repo_err(err, ERR_FAILED, "make a commit") : 0;
}

int worktree_snapshot(struct output *out, const struct snapshot_request *req,
		      cJSON *answer, struct err *err)
{
	_free_ char *name = mem_printf(GITFILE_WORK "%s", req->place.branch);
	_repo_ struct repo repo = {0};
	_git_tree_ git_tree *committed = NULL;
	_git_reference_ git_reference *ref = NULL;
	git_oid head, tree, id;
	bool changed;

	if (repo_open(&repo, req->place.repository, err) < 0)
		return -1;
	repo_share(repo.main);
	if (snapshot_take(&req->place, NULL, &head, &tree, err) < 0)
		return -1;
	committed = repo_tree(repo.main, &head, err);
	if (!committed)
		return -1;
	changed = !git_oid_equal(git_tree_id(committed), &tree);
	id = head;
	if (changed && make_commit(&id, repo.main, &head, &tree, err) < 0)
		return -1;
	if (git_reference_create(&ref, repo.main, name, &id, 1, NULL) < 0)
		return repo_err(err, ERR_FAILED, "make %s", name);
	json_set_str(answer, "ref", name);
	json_set_str(answer, "commit", git_oid_tostr_s(&id));
	json_set_bool(answer, "uncommitted", changed);
	return 0;
}
