/* new_worktree.h - the worktree of a new session, made. */
#ifndef AFW_COMMANDS_LAUNCH_NEW_WORKTREE_H
#define AFW_COMMANDS_LAUNCH_NEW_WORKTREE_H

#include "commands/launch/provision.h"

/*
 * Makes it, with its branch, and records it in the specification; says on
 * stderr how far it is, and what the setup command prints. On a failure, and
 * once n->interrupted is not 0, nothing of it is left. Blocks.
 */
int new_worktree_make(struct new_session *n, struct err *err);

/* Fills in what it would be, for a dry run: it refuses what is in the way, and
 * makes nothing. Blocks. */
int new_worktree_look(struct new_session *n, struct err *err);

#endif
