/* rm_merged.h - afw rm --merged. */
#ifndef AFW_COMMANDS_RM_MERGED_H
#define AFW_COMMANDS_RM_MERGED_H

#include "commands/command.h"
#include "session/session.h"

/*
 * Sets l to the sessions of this repository whose work is merged, prints them,
 * and asks whether to remove them, unless --yes was given. l is empty if there
 * are none; the caller calls session_list_finish(). -1 with err if the user
 * does not confirm.
 */
int rm_merged(struct session_list *l, const struct args *args, struct err *err);

#endif
