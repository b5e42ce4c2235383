/* delete_tree.h - removes a directory and its contents, following no link. */
#ifndef AFW_BASE_DELETE_TREE_H
#define AFW_BASE_DELETE_TREE_H

#include <stdint.h>

#include "base/err.h"

/*
 * Removes the directory name in dirfd. Symlinks are removed, not followed; a
 * mount point inside stops it with an error; directories without write
 * permission get it first (they are ours). Any depth. Succeeds if name does not
 * exist. Blocks for as long as it takes.
 */
int delete_tree(int dirfd, const char *name, struct err *err);

#endif
