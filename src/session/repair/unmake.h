/* unmake.h - removes a session that was just made, with its worktree. */
#ifndef AFW_SESSION_REPAIR_UNMAKE_H
#define AFW_SESSION_REPAIR_UNMAKE_H

#include <stdbool.h>

#include "base/err.h"
#include "session/spec.h"

/*
 * Removes the session for good, not to the trash: no agent has run in it. dir
 * is the session's directory, whose lock the caller holds; without has_worktree
 * only that is removed. If the worktree cannot be removed, the files stay.
 * err's hint is set on success, too, if the branch remains. Blocks for a minute
 * at most.
 */
int session_unmake(const struct spec *spec, const char *dir, bool has_worktree,
		   struct err *err);

#endif
