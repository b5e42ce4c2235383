/* checkpoint.h - takes checkpoints of a session's worktree. */
#ifndef AFW_COMMANDS_CHECKPOINT_H
#define AFW_COMMANDS_CHECKPOINT_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "session/session.h"

/* Takes one. kind: "user", "merge" (wire/worktree_request.def); text may be
 * NULL. Returns the answer, to be deleted, or NULL with err. Blocks. */
cJSON *checkpoint_session(const struct session *s, const char *kind,
			  const char *text, struct err *err);

#endif
