/* new_worktree.h - makes the worktree of a new session. */
#ifndef AFW_COMMANDS_LAUNCH_NEW_WORKTREE_H
#define AFW_COMMANDS_LAUNCH_NEW_WORKTREE_H

#include "commands/launch/provision.h"

/*
 * Makes the worktree and its branch, and records it in the specification.
 * Prints the progress and the output of the setup command on stderr. On a
 * failure, and once n->interrupted is not 0, everything made is removed again.
 * Blocks.
 */
int new_worktree_make(struct new_session *n, struct err *err);

/* For a dry run: sets what the worktree would be and reports what would prevent
 * it. Makes nothing. Blocks. */
int new_worktree_check(struct new_session *n, struct err *err);

/* Lists the branches of sessions that may have written files which must not run
 * outside a sandbox: all, if the new session has one. */
void new_worktree_foreign(const char *repository, const struct spec *new,
			  struct strv *branches);

#endif
