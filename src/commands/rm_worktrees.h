/* rm_worktrees.h - moves all worktrees of a session to the trash. */
#ifndef AFW_COMMANDS_RM_WORKTREES_H
#define AFW_COMMANDS_RM_WORKTREES_H

#include <cjson/cJSON.h>

#include "commands/rm.h"

/*
 * Returns afw-worktree's answer to "remove", to be deleted: that of the first
 * worktree, whose "entry", "submodule" and "holds" are of all, with those of
 * its other repositories in "with". NULL with err->kind ERR_NONE: there was
 * nothing to remove; NULL with err: none was removed, or a hint says which.
 */
cJSON *rm_worktrees(const struct session *s, const struct rm_how *how,
		    struct err *err);

#endif
