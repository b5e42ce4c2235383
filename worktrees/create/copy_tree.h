/* copy_tree.h - copies a file, or a directory with everything in it. */
#ifndef AFW_WORKTREES_CREATE_COPY_TREE_H
#define AFW_WORKTREES_CREATE_COPY_TREE_H

#include "worktrees/output.h"

/*
 * Copies name of the open directory from to the same name of to; a large
 * directory by several threads. Symlinks are copied as symlinks, modes and
 * times kept; what is there already is left alone, what is removed meanwhile is
 * left out. Adds to *made what was made; sets *unusual if there is a socket, a
 * pipe or a device, which are left out.
 */
int copy_tree(struct output *out, int from, int to, const char *name,
	      size_t *made, bool *unusual, struct err *err);

#endif
