/* delete_tree.h - removes a directory with all in it, following nothing. */
#ifndef AFW_BASE_DELETE_TREE_H
#define AFW_BASE_DELETE_TREE_H

#include <stdint.h>

#include "base/err.h"

/*
 * Removes the directory name in dirfd. Symlinks are removed, not followed;
 * a mount point inside stops it with an error; directories that forbid it
 * are opened with chmod first (they are ours). Any depth. That name does
 * not exist is fine. Blocks for as long as it takes.
 */
int delete_tree(int dirfd, const char *name, struct err *err);

#endif
