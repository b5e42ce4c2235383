/*
 * work.h - the work in a session's worktree: whether it is on its branch, and
 * what of it no commit has.
 */
#ifndef AFW_WORKTREES_CHANGES_WORK_H
#define AFW_WORKTREES_CHANGES_WORK_H

#include "base/mem.h"
#include "worktrees/git/repo.h"

/* Refuses (ERR_CONFLICT) where another branch or none is checked out there, or
 * a merge, rebase or the like is under way. */
int work_on_branch(const struct repo_worktree *w, const char *branch,
		   struct err *err);

/*
 * The files that differ from HEAD, staged or not, untracked ones that are not
 * ignored included: what status counts as uncommitted. A git repository in the
 * worktree is left out. Appended to out, in git's order.
 */
int work_uncommitted(const struct repo_worktree *w, struct strv *out,
		     struct err *err);

/* 1: the path is a file or a link there, through no link; 0: it is not; -1: it
 * cannot be looked at. */
int work_is_file(const struct repo_worktree *w, const char *path,
		 struct err *err);

/* A commit's message as git has it: no spaces at the ends; comments: no line
 * that begins with '#'. To be freed; NULL where nothing is left. */
char *work_message(const char *text, bool comments, struct err *err);

/*
 * The filter that git would run on the file, and we do not: of a driver that
 * is configured ("lfs"), or "working-tree-encoding"; NULL: none. To be freed.
 */
char *work_filter(git_repository *git, const char *path);

/* Whether git would run that filter: it is configured, or git's own. */
bool work_filter_runs(git_repository *git, const char *driver);

#endif
