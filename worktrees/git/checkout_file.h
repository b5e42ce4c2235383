/* checkout_file.h - makes one file of a new worktree. One per thread. */
#ifndef AFW_WORKTREES_GIT_CHECKOUT_FILE_H
#define AFW_WORKTREES_GIT_CHECKOUT_FILE_H

#include <git2.h>

#include "worktrees/git/checkout.h"

/* Zeroed, except co and raw, before the first file. */
struct checkout_file {
	const struct checkout *co;
	bool raw;	     /* attributes are not read */
	git_repository *git; /* this thread's own handle, opened when needed */
	char *data;	     /* buffer for a file's contents */
	bool is_lfs;	     /* this file is one of git LFS */
	/* so far, as in struct checkout */
	size_t lfs;
	char filter[64];
};

/*
 * Makes the file, symlink or submodule's directory e in co->dir and fills in
 * e's stat data. If e's stat data does not match the main worktree's file, the
 * object store is read.
 */
int checkout_file_make(struct checkout_file *cf, git_index_entry *e,
		       struct err *err);

/* Converts a .gitattributes, which was made as it is stored, as git does. */
int checkout_file_convert(struct checkout_file *cf, git_index_entry *e,
			  struct err *err);
void checkout_file_finish(struct checkout_file *cf);

#endif
