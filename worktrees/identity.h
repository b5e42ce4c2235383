/* identity.h - in whose name something is committed: the user's. */
#ifndef AFW_WORKTREES_IDENTITY_H
#define AFW_WORKTREES_IDENTITY_H

#include <git2.h>

#include "base/err.h"

/* user.name or user.email of the user's configuration, GIT_CONFIG_GLOBAL too;
 * to be freed; NULL where it has none. */
char *identity_value(git_repository *git, const char *key);

struct identity {
	git_signature *author, *committer;
};

/* By git's variables (GIT_AUTHOR_NAME ...), else the configuration.
 * identity_finish() in every case. */
int identity_load(struct identity *id, git_repository *git, struct err *err);
void identity_finish(struct identity *id);

#endif
