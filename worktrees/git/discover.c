/* discover.c - the operation "discover": where a repository is. */
#include "worktrees/git/repo.h"
#include "worktrees/operations.h"

int worktree_discover(struct output *out, const struct discover_request *req,
		      cJSON *answer, struct err *err)
{
	struct repo r;

	if (repo_open(&r, req->path, err) < 0)
		return -1;
	json_set_str(answer, "repository", r.path);
	json_set_str(answer, "checkout", r.checkout);
	repo_finish(&r);
	return 0;
}
