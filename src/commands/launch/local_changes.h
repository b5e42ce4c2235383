/* local_changes.h - the uncommitted changes of the user's worktree here. */
#ifndef AFW_COMMANDS_LAUNCH_LOCAL_CHANGES_H
#define AFW_COMMANDS_LAUNCH_LOCAL_CHANGES_H

#include "base/err.h"

/*
 * Makes a commit of HEAD's with all files of the worktree that git does not
 * ignore, and returns its id, to be freed; "" if nothing is changed; NULL with
 * err. No reference, and neither the index nor the worktree is changed. Runs
 * the user's git, so it refuses a session's worktree. Blocks.
 */
char *local_changes_commit(struct err *err);

#endif
