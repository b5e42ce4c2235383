/* discover.c - where a repository is. */
#include <stdlib.h>

#include "worktrees/repo.h"
#include "worktrees/worktree.h"

int worktree_discover(struct output *out, const cJSON *req, cJSON *answer,
		      struct err *err)
{
	struct repo r;
	char *branch;

	if (repo_open(&r, json_str(req, "path"), err) < 0)
		return -1;
	branch = repo_branch(r.here);
	json_set_str(answer, "repository", r.path);
	json_set_str(answer, "git_dir", r.git_dir);
	json_set_bool(answer, "bare", r.bare);
	json_set_str(answer, "name", r.name);
	json_set_text(answer, "branch", branch);
	free(branch);
	repo_finish(&r);
	return 0;
}
