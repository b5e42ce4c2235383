/* checkout_file.h - makes one file of a new worktree. One per thread. */
#ifndef AFW_WORKTREES_GIT_CHECKOUT_FILE_H
#define AFW_WORKTREES_GIT_CHECKOUT_FILE_H

#include <git2.h>

#include "worktrees/git/checkout.h"

/* Zeroed but for co and raw before the first file. */
struct checkout_file {
	const struct checkout *co;
	bool raw;	     /* no attribute is asked for */
	git_repository *git; /* this thread's own handle, opened when needed */
	char *data;	     /* room for a file on its way */
	/* so far, as in struct checkout */
	size_t lfs, submodules;
	char filter[64];
};

/*
 * Makes the file, symlink or submodule's directory e in co->dir and fills
 * in e's stat data. Where what it has of the main worktree's file does not
 * hold, the object store is read.
 */
int checkout_file_make(struct checkout_file *cf, git_index_entry *e,
		       struct err *err);
void checkout_file_finish(struct checkout_file *cf);

#endif
