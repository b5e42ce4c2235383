/* patch.h - what has changed in a file, line by line. */
#ifndef AFW_WORKTREES_CHANGES_PATCH_H
#define AFW_WORKTREES_CHANGES_PATCH_H

#include <git2.h>

/* Returns the patch of delta i, to be freed; NULL: the file vanished meanwhile,
 * or may not be read. */
git_patch *patch_make(git_repository *git, git_diff *diff, size_t i);

#endif
