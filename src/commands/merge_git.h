/* merge_git.h - a merge by the git program, which runs its hooks. */
#ifndef AFW_COMMANDS_MERGE_GIT_H
#define AFW_COMMANDS_MERGE_GIT_H

#include "base/json.h"
#include "commands/command.h"
#include "session/session.h"

/*
 * Runs `git merge` as the user, in the worktree that has the branch checked
 * out, with the options for a signature in args. plan: the answer to a request
 * "merge" with "dry_run". If git or a hook refuses: -1 with err, and the merge
 * is aborted.
 */
int merge_git(const struct session *s, const struct args *args,
	      const cJSON *plan, struct err *err);

#endif
