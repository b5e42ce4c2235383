/*
 * host_git.h - passes commits between this repository and that of another
 * machine, with the user's git.
 *
 * The machine there keeps branches of here as remote-tracking branches, as if
 * here were a remote: refs/remotes/here/BRANCH. So all that afw knows about
 * branches of a remote (merged, rm) is right there for a session that was made
 * from a branch of here.
 */
#ifndef AFW_COMMANDS_LAUNCH_HOST_GIT_H
#define AFW_COMMANDS_LAUNCH_HOST_GIT_H

#include <stdbool.h>

#include "base/err.h"

/*
 * Pushes the commit that base names here (NULL or "": HEAD) to url. Returns the
 * name by which a session there starts from it, to be freed: the branch's name
 * there, or the commit if base is not a branch. NULL with err. Blocks as long
 * as git runs, up to an hour.
 */
char *host_git_push_base(const char *url, const char *base, struct err *err);

/*
 * Pushes the branch of here. ERR_CONFLICT if the branch there has commits that
 * this one lacks, unless this repository pushed them before: they are another's
 * work, and stay. Blocks likewise.
 */
int host_git_push_branch(const char *url, const char *branch, struct err *err);

/* Returns whether this repository pushed the branch to url, or fetched it from
 * there. */
bool host_git_knows(const char *url, const char *branch);

/*
 * Fetches the branch of url as the branch of the same name here: a new one
 * (sets *made), or one that was fetched before, by a fast-forward. ERR_CONFLICT
 * if the branch here is another one or has commits of its own, or is checked
 * out. Returns its commit, to be freed; NULL with err. Blocks as a push.
 */
char *host_git_fetch(const char *url, const char *branch, bool *made,
		     struct err *err);

/* Deletes the branch here if it is at the commit. */
void host_git_drop(const char *branch, const char *commit);

#endif
