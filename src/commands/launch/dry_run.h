/* dry_run.h - prints what `afw new` would make and start. */
#ifndef AFW_COMMANDS_LAUNCH_DRY_RUN_H
#define AFW_COMMANDS_LAUNCH_DRY_RUN_H

#include "commands/launch/provision.h"

/*
 * For a session that was checked as for provision_make(): lets afw-worktree
 * check the names and the base, counts the sessions, and prints the plan, with
 * --json as one object. Makes nothing. Blocks.
 */
int dry_run_print(struct new_session *n, struct err *err);

#endif
