/*
 * filter.h - the filters of .gitattributes that libgit2 does not have:
 * working-tree-encoding, git LFS, and programs that the user's own
 * configuration names. libgit2 runs them wherever it converts a file.
 */
#ifndef AFW_WORKTREES_GIT_FILTER_H
#define AFW_WORKTREES_GIT_FILTER_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"

/* Registers them with libgit2. */
int filter_register(struct err *err);

enum filter_kind {
	FILTER_NONE,
	FILTER_LFS,	/* git LFS, built in here */
	FILTER_RUNS,	/* one of the user's programs */
	FILTER_NOT_RUN, /* git would run it, afw does not */
};

/* Returns the kind of a value of the attribute filter. */
enum filter_kind filter_kind(git_repository *git, const char *value);

/* True if the file has a filter that afw runs. */
bool filter_runs(git_repository *git, const char *path);

/* ERR_REFUSED if the file has one that afw does not run. */
int filter_refuse(git_repository *git, const char *path, struct err *err);

/* Hashes a file of the worktree as git add does. As git_repository_hashfile(),
 * but a large file of git LFS is not read into memory. */
int filter_hash(git_oid *out, git_repository *git, const char *path);

/* Stores a file of the worktree as git add does, for a git that lacks these
 * filters. */
int filter_store(git_oid *out, git_repository *git, const char *path,
		 struct err *err);

/* While on, changed files of git LFS are stored as they are, and not as
 * pointers. */
void filter_store_whole(bool on);

#endif
