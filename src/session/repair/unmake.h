/* unmake.h - removes a session that was just made, with its worktree. */
#ifndef AFW_SESSION_REPAIR_UNMAKE_H
#define AFW_SESSION_REPAIR_UNMAKE_H

#include <stdbool.h>

#include "base/err.h"
#include "session/spec.h"

/*
 * Nothing goes to the trash: no agent has run in it. dir is the session's
 * directory, whose lock the caller holds; without has_worktree there is only
 * that. The files stay if the worktree cannot be removed. err's hint is set on
 * success, too, if the branch is left. Blocks for a minute at most.
 */
int session_unmake(const struct spec *spec, const char *dir, bool has_worktree,
		   struct err *err);

#endif
