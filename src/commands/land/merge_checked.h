/* merge_checked.h - afw merge --check. */
#ifndef AFW_COMMANDS_LAND_MERGE_CHECKED_H
#define AFW_COMMANDS_LAND_MERGE_CHECKED_H

#include <cjson/cJSON.h>

#include "commands/command.h"
#include "session/session.h"

/* Merges its branch into the branch into if the result passes the check.
 * Returns afw-worktree's answer, to be deleted; NULL with err: ERR_REFUSED if
 * it does not pass. Blocks. */
cJSON *merge_checked(const struct session *s, const struct args *args,
		     const char *into, struct err *err);

#endif
