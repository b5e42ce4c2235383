/* snapshot.h - a worktree as it is, as a tree that nobody else sees. */
#ifndef AFW_WORKTREES_CHANGES_SNAPSHOT_H
#define AFW_WORKTREES_CHANGES_SNAPSHOT_H

#include "worktrees/git/repo.h"

/*
 * Whatever is written to it from now on stays in memory. To be freed.
 */
int snapshot_begin(git_odb **out, git_repository *main, struct err *err);

/*
 * The worktree's HEAD, and the tree of what would be committed there now
 * (work_uncommitted()), which is only in odb. Its index is not touched. req is
 * a request as status; what was committed in a sandbox comes home first.
 */
int snapshot_take(const cJSON *req, git_odb *odb, git_oid *head, git_oid *tree,
		  struct err *err);

#endif
