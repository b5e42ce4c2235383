/* status.c - what an agent has done in its worktree, in figures. */
#include <stdlib.h>

#include "worktrees/changes.h"
#include "worktrees/worktree.h"

static void fill(const struct changes *ch, const struct repo_worktree *w,
		 cJSON *answer)
{
	char *branch = repo_branch(w->git);

	json_set_int(answer, "files_changed", ch->files_changed);
	json_set_int(answer, "untracked", ch->untracked);
	json_set_int(answer, "uncommitted", ch->uncommitted);
	json_set_int(answer, "conflicted", ch->conflicted);
	json_set_int(answer, "ahead", ch->ahead);
	json_set_int(answer, "behind", ch->behind);
	json_set_int(answer, "lines_added", ch->lines_added);
	json_set_int(answer, "lines_removed", ch->lines_removed);
	json_set_text(answer, "branch", branch);
	json_set_text(answer, "head",
		    ch->head_known ? git_oid_tostr_s(&ch->head) : NULL);
	json_set_text(answer, "in_progress", ch->in_progress);
	json_set_bool(answer, "truncated", ch->truncated);
	free(branch);
}

int worktree_status(struct output *out, const cJSON *req, cJSON *answer,
		    struct err *err)
{
	struct repo_worktree w;
	struct changes ch;
	git_oid base;
	int r = -1;

	if (changes_base(req, &base, err) < 0)
		return -1;
	if (repo_worktree_open(&w, req, err) == 0 &&
	    changes_read(&ch, &w, &base, true, out, err) == 0) {
		fill(&ch, &w, answer);
		r = 0;
	}
	repo_worktree_finish(&w);
	return r;
}
