/* suspects.h - finds the paths of a worktree that may not be as in its index.
 */
#ifndef AFW_WORKTREES_CHANGES_SUSPECTS_H
#define AFW_WORKTREES_CHANGES_SUSPECTS_H

#include <git2.h>
#include <stdbool.h>
#include <time.h>

#include "base/mem.h"

/*
 * Lists the only paths of the worktree dir in which its files can differ from
 * the index, for the pathspec of a diff: without one, libgit2 looks up each
 * file by its whole path. The list is never empty, and has no absent file that
 * the index skips. written: the time of the index's file, taken before it was
 * read. False if there are many, or a directory cannot be read.
 */
bool suspects_find(struct strv *paths, int dir, git_index *index,
		   const struct timespec *written);

#endif
