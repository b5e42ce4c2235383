/*
 * sparse_index.h - opens an index that may be sparse: one entry for each
 * directory outside the patterns. libgit2 cannot read that, so git expands a
 * copy; the index itself stays as it is.
 */
#ifndef AFW_WORKTREES_GIT_SPARSE_INDEX_H
#define AFW_WORKTREES_GIT_SPARSE_INDEX_H

#include <git2.h>
#include <stdbool.h>

#include "base/buf.h"

/* True if these bytes are a sparse index. */
bool sparse_index_is(const struct buf *text);

/* As git_index_open(), of an index of git's repository or a worktree of it. An
 * expanded one can be read, not written. */
int sparse_index_open(git_index **out, const char *file, git_repository *git);

/* As git_repository_index(), in the same way. */
int sparse_index_of(git_index **out, git_repository *git);

/* As git_index_open(), but expands the file itself: one that nobody else
 * uses yet. */
int sparse_index_replace(git_index **out, const char *file,
			 git_repository *git);

#endif
