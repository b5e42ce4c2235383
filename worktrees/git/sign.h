/* sign.h - commits, signed as git would sign them. */
#ifndef AFW_WORKTREES_GIT_SIGN_H
#define AFW_WORKTREES_GIT_SIGN_H

#include <git2.h>

#include "base/buf.h"
#include "base/err.h"
#include "wire/worktree_request.h"

struct sign {
	git_repository *git;
	struct err *err;
	bool on;
	const char *key; /* "": git's configuration names it */
};

/*
 * Decides whether commits are signed: choice overrides git's configuration.
 * Refuses if the repository's configuration names a program for it, unless the
 * session has a private git directory: otherwise its agent can write there.
 * git, choice and err are for sign_commit(), too.
 */
int sign_load(struct sign *s, git_repository *git,
	      const struct sign_choice *choice, const char *private,
	      struct err *err);

/* The same by what `git config --null --show-scope --get-regexp` has printed
 * for these keys, perhaps among others; text is not empty. */
#define SIGN_KEYS                                                              \
	"commit\\.gpgsign|gpg\\.(.*\\.)?program|"                              \
	"gpg\\.ssh\\.defaultkeycommand"
int sign_use(struct sign *s, git_repository *git,
	     const struct sign_choice *choice, const char *private,
	     const struct buf *text, struct err *err);

/* Makes a commit; payload is the struct sign. A git_commit_create_cb. Returns
 * GIT_EUSER with err, or libgit2's error. */
int sign_commit(git_oid *out, const git_signature *author,
		const git_signature *committer, const char *encoding,
		const char *message, const git_tree *tree, size_t n,
		const git_commit *parents[], void *payload);

#endif
