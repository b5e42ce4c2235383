/* copy_in.h - copies or links untracked files of the main worktree. */
#ifndef AFW_WORKTREES_CREATE_COPY_IN_H
#define AFW_WORKTREES_CREATE_COPY_IN_H

#include <git2.h>

#include "base/mem.h"
#include "worktrees/output.h"

struct copy_in {
	const char *from_path; /* the main worktree */
	int to;		       /* the new one, open */
	struct output *out;    /* progress, and whether to continue */
	struct strv *warnings;
	git_repository *git; /* the new worktree's, to warn of links that it
				does not ignore; or NULL */
};

/*
 * Each pattern is relative to the worktree, its parts are globs (fnmatch; "**"
 * is any number of directories). Matching files and directories are copied with
 * everything below them, symlinks as symlinks, modes and times kept; files
 * already in the new worktree (all tracked files) are left alone. The paths
 * copied are added to done. A pattern that is absolute or has ".." fails:
 * ERR_USAGE. A pattern without a match is not an error. link: one symlink to
 * the main worktree's file or directory each instead.
 */
int copy_in_run(struct copy_in *b, const struct strv *patterns, bool link,
		struct strv *done, struct err *err);

/* Adds the paths in the main worktree that match, and makes nothing. */
int copy_in_find(struct copy_in *b, const struct strv *patterns,
		 struct strv *found, struct err *err);

#endif
