/*
 * hidden.h - what lies in a worktree and `git status` says nothing of.
 */
#ifndef AFW_WORKTREES_HIDDEN_H
#define AFW_WORKTREES_HIDDEN_H

#include <stdbool.h>

#include "worktrees/output.h"
#include "worktrees/repo.h"

struct hidden {
	bool ignored; /* a file that git ignores, and create has not brought */
	bool nested;  /* a repository, be it of commits alone */
	bool other;   /* a file that git has to tell of as untracked */
};

/*
 * Looks until it has found something. Without ignored such files are not
 * looked for, nor repositories in directories that are ignored. Blocks; ends
 * early on a signal.
 */
int hidden_find(struct hidden *h, const struct repo_worktree *w,
		git_index *index, bool ignored, struct output *out,
		struct err *err);

#endif
