/* gitwork.h - requests to afw-worktree about one session's worktree. */
#ifndef AFW_COMMANDS_GITWORK_H
#define AFW_COMMANDS_GITWORK_H

#include <cjson/cJSON.h>

#include "session/session.h"

/*
 * {"op": op} with all that names the worktree as it was at creation
 * (wire/worktree_client.h); to be deleted. Its place (device, inode) is in
 * it, so that nothing that was put there since is taken for it.
 */
cJSON *gitwork_request(const struct session *s, const char *op);

/* Whether a worktree was ever made for it. */
bool gitwork_has_worktree(const struct session *s);

#endif
