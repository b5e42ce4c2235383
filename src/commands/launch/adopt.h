/* adopt.h - a session in a worktree that afw did not make (afw new --here,
 * --worktree), or in a directory without git (--scratch). */
#ifndef AFW_COMMANDS_LAUNCH_ADOPT_H
#define AFW_COMMANDS_LAUNCH_ADOPT_H

#include "commands/launch/provision.h"

/* Sets what a session without git has instead of a repository: a directory in
 * which nothing is, so that names are unique among such sessions. */
int adopt_scratch(struct new_session *n, struct err *err);

/* Makes its directory, after its files. */
int adopt_make_scratch(struct new_session *n, struct err *err);

/* Sets where the new session is to work, if it makes no worktree. Blocks. */
int adopt_choose(struct new_session *n, struct err *err);

/* Warns if one of those sessions works there, or refuses to adopt it again. */
int adopt_check_free(const struct new_session *n, const struct session_list *l,
		     struct err *err);

#endif
