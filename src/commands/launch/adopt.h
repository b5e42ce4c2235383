/* adopt.h - a session in a worktree that afw did not make (afw new --here,
 * --worktree). */
#ifndef AFW_COMMANDS_LAUNCH_ADOPT_H
#define AFW_COMMANDS_LAUNCH_ADOPT_H

#include "commands/launch/provision.h"

/* Sets where the new session is to work, if it makes no worktree. Blocks. */
int adopt_choose(struct new_session *n, struct err *err);

/* Warns if one of those sessions works there, or refuses to adopt it again. */
int adopt_check_free(const struct new_session *n, const struct session_list *l,
		     struct err *err);

#endif
