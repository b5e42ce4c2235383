/* snapshot.h - makes a tree of a worktree's present state. */
#ifndef AFW_WORKTREES_CHANGES_SNAPSHOT_H
#define AFW_WORKTREES_CHANGES_SNAPSHOT_H

#include "worktrees/git/repo.h"

/*
 * Opens main's object store; objects written to *out stay in memory. To be
 * freed.
 */
int snapshot_begin(git_odb **out, git_repository *main, struct err *err);

/*
 * Stores the worktree's HEAD, and the tree of what would be committed there now
 * (work_uncommitted()), which is only in odb; NULL: is stored in the
 * repository. Its index is not touched. Commits made in a sandbox are imported
 * first.
 */
int snapshot_take(const struct repo_place *place, git_odb *odb, git_oid *head,
		  git_oid *tree, struct err *err);

/* Stores it as a commit in main's object store, whose parent is HEAD's; if
 * nothing is uncommitted (*changed), HEAD's itself. */
int snapshot_store(const struct repo_place *place, git_repository *main,
		   git_oid *id, bool *changed, struct err *err);

#endif
