/* rm_before.h - the user's command before_rm. */
#ifndef AFW_COMMANDS_RM_BEFORE_H
#define AFW_COMMANDS_RM_BEFORE_H

#include "session/session.h"

/*
 * Runs before_rm in the worktree and sandbox of a session that has ended, if it
 * has both. ERR_REFUSED if it fails or is not done in check_timeout; with force
 * that is a warning. Its output is kept as that of a service. Blocks. The
 * caller holds the session's lock.
 */
int rm_run_before(const struct session *s, bool force, struct err *err);

#endif
