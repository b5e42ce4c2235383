/* sign.h - commits, signed as git would sign them. */
#ifndef AFW_WORKTREES_GIT_SIGN_H
#define AFW_WORKTREES_GIT_SIGN_H

#include <git2.h>

#include "base/err.h"
#include "base/json.h"

struct sign {
	git_repository *git;
	struct err *err;
	bool on;
	const struct sign_format *format;
	char *program, *key;
};

/*
 * Decides whether commits are signed, and how: the request's "sign" and
 * "sign_key" override git's configuration. Programs and keys that the
 * repository's configuration names are used only if the session has a "private"
 * git directory: else its agent can write there. The answer's "sign_ignored"
 * names such an option. err is for sign_commit(), too. Call sign_finish() in
 * every case.
 */
int sign_load(struct sign *s, git_repository *git, const cJSON *req,
	      cJSON *answer, struct err *err);
void sign_finish(struct sign *s);

/* Makes a commit; payload is the struct sign. A git_commit_create_cb. Returns
 * GIT_EUSER with err, or libgit2's error. */
int sign_commit(git_oid *out, const git_signature *author,
		const git_signature *committer, const char *encoding,
		const char *message, const git_tree *tree, size_t n,
		const git_commit *parents[], void *payload);

#endif
