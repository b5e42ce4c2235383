/*
 * work.h - the work in a session's worktree: checks that it is on its branch,
 * and lists uncommitted files.
 */
#ifndef AFW_WORKTREES_CHANGES_WORK_H
#define AFW_WORKTREES_CHANGES_WORK_H

#include "base/mem.h"
#include "worktrees/git/repo.h"

/* Refuses (ERR_CONFLICT) if another branch or none is checked out there, or a
 * merge, rebase or the like is unfinished. */
int work_on_branch(const struct repo_worktree *w, const char *branch,
		   struct err *err);

/*
 * Appends to out, in git's order, the files that differ from HEAD, staged or
 * not, untracked ones that are not ignored included: what status counts as
 * uncommitted. A git repository in the worktree is left out, and appended to
 * nested, with a '/' at the end (NULL: it is not).
 */
int work_uncommitted(const struct repo_worktree *w, struct strv *out,
		     struct strv *nested, struct err *err);

/* Returns 1 if the path is a file or a link there, with no link above it; 0 if
 * not; -1 if it cannot be checked. */
int work_is_file(const struct repo_worktree *w, const char *path,
		 struct err *err);

/* Returns a commit's message as git cleans it: no spaces at the ends, and if
 * comments, no line that begins with '#'. To be freed; NULL if nothing is
 * left. */
char *work_message(const char *text, bool comments, struct err *err);

#endif
