/* others.h - the other repositories of a new session (--with). */
#ifndef AFW_COMMANDS_LAUNCH_OTHERS_H
#define AFW_COMMANDS_LAUNCH_OTHERS_H

#include "commands/launch/provision.h"

/* Adds those of --with to the specification; refuses what is no repository,
 * is one of this session already, or has a .af/ that is not trusted. */
int others_choose(struct new_session *n, struct err *err);

/* Loads the configuration of the i-th repository (spec_of()). The caller calls
 * config_destroy(). Refuses one that is not trusted. */
int others_config(const struct new_session *n, size_t i, struct config **out,
		  struct err *err);

/* Returns the directory in .af_worktrees that has all of its worktrees, to be
 * freed; NULL: it has one repository. */
char *others_together(const struct new_session *n);

#endif
