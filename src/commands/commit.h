/* commit.h - commits for another command. */
#ifndef AFW_COMMANDS_COMMIT_H
#define AFW_COMMANDS_COMMIT_H

#include "base/err.h"
#include "session/session.h"
#include "wire/worktree_request.h"

/* As `afw commit NAME -m MESSAGE`, but prints nothing. */
int commit_quietly(struct session *s, const char *message,
		   const struct sign_choice *sign, struct err *err);

#endif
