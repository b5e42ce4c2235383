/* diff.c - what an agent has done in its worktree, line by line. */
#include "worktrees/changes.h"
#include "worktrees/worktree.h"

int worktree_diff(struct output *out, const cJSON *req, cJSON *answer,
		  struct err *err)
{
	(void)out;
	(void)req;
	(void)answer;
	return err_set(err, ERR_FAILED, "diff: not there yet");
}
