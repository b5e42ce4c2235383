/* index_tree.h - compares a tree with the one that git has recorded for its
 * index. */
#ifndef AFW_WORKTREES_GIT_INDEX_TREE_H
#define AFW_WORKTREES_GIT_INDEX_TREE_H

#include <git2.h>
#include <stdbool.h>

#include "base/mem.h"

/*
 * Lists the only paths in which the index, as it was read from its file, can
 * differ from tree, for the pathspec of a diff: without one, libgit2 reads each
 * directory of the tree. Never none. False if git has recorded no tree, as
 * after `git add`, or the index has a submodule: submodule_update() changes
 * these entries.
 */
bool index_tree_differs(struct strv *paths, git_repository *git,
			const git_tree *tree, git_index *index);

#endif
