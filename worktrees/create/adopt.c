/* adopt.c - describes a worktree that afw did not make, for a session that is
 * to work in it. Nothing is made. */
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "worktrees/git/base_commit.h"
#include "worktrees/git/place.h"
#include "worktrees/operations.h"

static int check_repository(const struct repo *r,
			    const struct adopt_request *req, struct err *err)
{
	if (req->repository && strcmp(req->repository, r->path) != 0)
		return err_set(err, ERR_FAILED,
			       "%s is in the repository %s, not %s", req->path,
			       r->path, req->repository);
	if (r->here != r->main ? git_repository_workdir(r->here) != NULL
			       : !r->bare)
		return 0;
	err_set(err, ERR_FAILED, "%s is bare: it has no files here", r->path);
	return err_hint(err, "go to one of its worktrees");
}

static int check_place(const char *top, struct err *err)
{
	_free_ char *parent = repo_dirname(top);

	if (!place_is(parent))
		return 0;
	err_set(err, ERR_REFUSED, "%s was made by afw for a session", top);
	return err_hint(err, "--from NAME begins with that session's files");
}

int worktree_adopt(struct output *out, const struct adopt_request *req,
		   cJSON *answer, struct err *err)
{
	_repo_ struct repo r = {0};
	_repo_worktree_ struct repo_worktree w = REPO_WORKTREE_NONE;
	CLEANUP(base_commit_finish) struct base_commit at = {0};
	struct repo_place place = {.adopted = true, .worktree_id = "."};
	_free_ char *top = NULL, *admin = NULL, *branch = NULL, *base = NULL;
	char hex[GIT_OID_HEXSZ + 1];

	(void)out;
	if (repo_open(&r, req->path, err) < 0 ||
	    check_repository(&r, req, err) < 0)
		return -1;
	/* Both paths have a slash at the end. */
	top = repo_dirname(git_repository_workdir(r.here));
	admin = repo_dirname(git_repository_path(r.here));
	if (r.here != r.main)
		place.worktree_id = repo_basename(admin);
	place.repository = r.path;
	place.worktree = top;
	branch = repo_branch(r.here);
	base = repo_branch(r.main);
	if (check_place(top, err) < 0 ||
	    base_commit_find(&at, &r, NULL, err) < 0)
		return -1;
	if (!branch) {
		err_set(err, ERR_FAILED, "no branch is checked out in %s", top);
		return err_hint(err, "`git switch BRANCH` there");
	}
	if (repo_worktree_open(&w, &place, err) < 0)
		return -1;
	git_oid_tostr(hex, sizeof hex, &at.commit);
	json_set_str(answer, "repository", r.path);
	json_set_str(answer, "worktree", top);
	json_set_str(answer, "worktree_id", place.worktree_id);
	json_set_u64(answer, "ino", w.ino);
	json_set_str(answer, "branch", branch);
	json_set_str(answer, "base", base && !r.bare ? base : branch);
	json_set_str(answer, "base_commit", hex);
	return 0;
}
