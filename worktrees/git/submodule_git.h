/*
 * submodule_git.h - makes the git directory that a worktree has for a
 * submodule: git has one for each worktree, so that nothing that is done in one
 * reaches the main worktree's.
 */
#ifndef AFW_WORKTREES_GIT_SUBMODULE_GIT_H
#define AFW_WORKTREES_GIT_SUBMODULE_GIT_H

#include <git2.h>

#include "base/err.h"

/*
 * Makes dir, with HEAD at the commit, and worktree/.git, which names it. It
 * borrows the objects of the submodule's git directory source, and has copies
 * of its references, remotes and upstream branches, and of nothing else that is
 * configured there. *out is to be freed. If it fails, the rest is the caller's
 * to delete.
 */
int submodule_git_make(git_repository **out, const char *dir,
		       git_repository *source, const char *worktree,
		       const git_oid *commit, struct err *err);

#endif
