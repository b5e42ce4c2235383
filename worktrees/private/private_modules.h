/* private_modules.h - the submodules of a session in a sandbox. */
#ifndef AFW_WORKTREES_PRIVATE_PRIVATE_MODULES_H
#define AFW_WORKTREES_PRIVATE_PRIVATE_MODULES_H

#include "worktrees/git/repo.h"

/*
 * Makes in dir/modules the git directories of the submodules that git's entry
 * has, which stay, and leads the submodules' .git there: as "inside", the path
 * that dir will have in the sandbox. Appends the object stores that they
 * borrow, a line each, to objects.
 */
int private_modules_make(const struct repo_worktree *w, const char *dir,
			 const char *inside, struct buf *objects,
			 struct err *err);

#endif
