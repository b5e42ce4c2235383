/*
 * branch_config.h - what .git/config says of one branch: [branch "NAME"].
 *
 * Removed as `git branch -d` does, so that a new branch of that name does
 * not follow what the old one did. dir is the common git directory, open;
 * the caller sees to it that no other afw is at it (ref.c).
 */
#ifndef AFW_WORKTREES_BRANCH_CONFIG_H
#define AFW_WORKTREES_BRANCH_CONFIG_H

#include "base/buf.h"

/*
 * text without the sections of that branch, into out (which is empty).
 * Returns how many there were.
 */
int branch_config_without(const char *text, const char *branch,
			  struct buf *out);

/* In the file. -1, errno set, where it cannot be changed; it is then as it
 * was. EEXIST: git has been changing it for a second. */
int branch_config_drop(int dir, const char *branch);

/* Takes away what a run has left that died in branch_config_drop(). */
void branch_config_recover(int dir);

#endif
