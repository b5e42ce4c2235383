/*
 * host_git.h - passes commits between this repository and a repository on
 * another machine, with the user's git.
 *
 * The other machine keeps this repository's branches as remote-tracking
 * branches of a remote "here": refs/remotes/here/BRANCH. So what afw does with
 * the branches of a remote (merged, rm) is also right there, for a session that
 * was made from a branch of this repository.
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_GIT_H
#define AFW_COMMANDS_LAUNCH_HOST_GIT_H

#include <stdbool.h>

#include "base/err.h"

/*
 * Pushes the commit that base names here (NULL or "": HEAD) to url. Returns
 * what a session there can start from, to be freed: the branch's name there, or
 * the commit if base is not a branch. NULL with err. Blocks as long as git
 * runs, up to an hour.
 */
char *host_git_push_base(const char *url, const char *base, struct err *err);

/*
 * Pushes this repository's branch. ERR_CONFLICT if the branch there has commits
 * that the branch here lacks, unless this repository pushed them before: they
 * are the work of others, and are kept. Blocks likewise.
 */
int host_git_push_branch(const char *url, const char *branch, struct err *err);

/* Pushes a commit that no branch names to refs/afw/pushed. Blocks likewise. */
int host_git_push_commit(const char *url, const char *commit, struct err *err);

/* Returns whether this repository pushed the branch to url. */
bool host_git_knows(const char *url, const char *branch);

/* Pushes the branch that is checked out here if the machine there has it, so
 * that afw there compares with its present state; warns if that fails. */
void host_git_refresh(const char *url);

/*
 * Fetches the branch of url as the branch of the same name here: a new one
 * (sets *made), or one that was fetched before, by a fast-forward. ERR_CONFLICT
 * if the branch here is another one or has commits of its own, or is checked
 * out. Returns its commit, to be freed; NULL with err. Blocks as long as a
 * push.
 */
char *host_git_fetch(const char *url, const char *branch, bool *made,
		     struct err *err);

/* Fetches GITFILE_WORK of the branch to the same reference here, and returns
 * its commit likewise. */
char *host_git_fetch_work(const char *url, const char *branch, struct err *err);

/* Deletes the branch that was fetched from url if it is at the commit; warns if
 * it is not deleted. */
void host_git_drop(const char *url, const char *branch, const char *commit);

#endif
