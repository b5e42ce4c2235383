/*
 * changes.h - what is different in a worktree, through libgit2 alone: no
 * hook, filter or fsmonitor runs, and no nested repository is entered.
 */
#ifndef AFW_WORKTREES_CHANGES_H
#define AFW_WORKTREES_CHANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "worktrees/output.h"
#include "worktrees/repo.h"

struct changes {
	int64_t files_changed; /* since the base, untracked ones included */
	int64_t untracked;     /* not ignored, not copied or linked by create */
	int64_t uncommitted;   /* tracked paths that differ from HEAD */
	int64_t conflicted;
	int64_t ahead, behind; /* HEAD against the base commit */
	int64_t lines_added, lines_removed;
	bool truncated;		 /* a limit was met: lower bounds */
	const char *in_progress; /* "merge", "rebase", ... or NULL; static */
	bool head_known;	 /* false on an unborn branch */
	git_oid head;
};

/*
 * Reads all of it; lines false leaves the line counts at 0 (removal needs
 * none). base may be NULL: HEAD. Blocks; ends early on a signal.
 */
int changes_read(struct changes *ch, const struct repo_worktree *w,
		 const git_oid *base, bool lines, struct output *out,
		 struct err *err);

/* The options that all diffs of a worktree share. */
void changes_diff_options(git_diff_options *opt);

/* The tree of a commit, to be freed; NULL with err. */
git_tree *changes_tree(git_repository *git, const git_oid *commit,
		       struct err *err);

/*
 * base against the files as they are: committed, staged, unstaged and
 * untracked. To be freed.
 */
git_diff *changes_since(const struct repo_worktree *w, const git_oid *base,
			struct err *err);

/* "base_commit" of a request. */
int changes_base(const cJSON *req, git_oid *base, struct err *err);

#endif
