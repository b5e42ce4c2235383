/* identity.h - the author and the committer of what afw commits. */
#ifndef AFW_WORKTREES_GIT_IDENTITY_H
#define AFW_WORKTREES_GIT_IDENTITY_H

#include <git2.h>

#include "base/err.h"

struct identity {
	git_signature *author, *committer;
};

/* Runs git, which reads its variables (GIT_AUTHOR_NAME ...) and all of the
 * configuration. Call identity_finish() in every case. */
int identity_load(struct identity *id, git_repository *git, struct err *err);
/* Only the committer. */
int identity_load_committer(struct identity *id, git_repository *git,
			    struct err *err);
/* Both, if the configuration has no key that matches IDENTITY_APART: without
 * such variables, too, they are one, and git is run once. */
#define IDENTITY_APART "(author|committer)\\..*"
int identity_load_one(struct identity *id, git_repository *git,
		      struct err *err);
/* Makes the committer of a commit the one of now. -1 with libgit2's error. */
int identity_take_committer(struct identity *id, git_repository *git,
			    const git_oid *commit);
void identity_finish(struct identity *id);
#define _identity_ CLEANUP(identity_finish)

#endif
