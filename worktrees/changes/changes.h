/*
 * changes.h - finds what has changed in a worktree, through libgit2 alone: no
 * hook, filter or fsmonitor runs, and no nested repository is entered.
 */
#ifndef AFW_WORKTREES_CHANGES_CHANGES_H
#define AFW_WORKTREES_CHANGES_CHANGES_H

#include "worktrees/git/repo.h"
#include "worktrees/output.h"

/*
 * Returns the diff of base (NULL: an empty tree) and the present files:
 * committed, staged, unstaged and untracked, except files that create copied or
 * linked; if staged, of base and the index. To be freed.
 */
git_diff *changes_since(const struct repo_worktree *w, const git_oid *base,
			bool staged, struct err *err);

/* The same, for printing: with paths in the directory under; NULL: in none. */
git_diff *changes_shown(const struct repo_worktree *w, const git_oid *base,
			bool staged, const char *under, struct err *err);

/* Adds to answer what status answers about one worktree; only: NULL: all. */
int changes_status(const struct repo_place *place, const struct strv *only,
		   bool list, struct output *out, cJSON *answer,
		   struct err *err);

/* Adds to answer what status answers, without reading all files: files has the
 * stat data of those that are not ignored, maybe the paths of those that may
 * have changed since (more are added). */
int changes_count(const struct repo_worktree *w, const struct repo_place *place,
		  git_index *files, struct strv *maybe, struct output *out,
		  cJSON *answer, struct err *err);

#endif
