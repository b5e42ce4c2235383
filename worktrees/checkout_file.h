/* checkout_file.h - makes one file of a new worktree. One per thread. */
#ifndef AFW_WORKTREES_CHECKOUT_FILE_H
#define AFW_WORKTREES_CHECKOUT_FILE_H

#include <git2.h>

#include "worktrees/checkout.h"

/* Zeroed but for co and raw before the first file. */
struct checkout_file {
	const struct checkout *co;
	bool raw;	     /* no attribute is asked for */
	git_repository *git; /* this thread's own handle, opened when needed */
	char *data;	     /* room for a file on its way */
	/* of the last file */
	bool copied;
	bool lfs;
	char filter[64]; /* the filter that it needed and did not get */
};

/*
 * Makes the file, symlink or submodule's directory e in co->dir and fills
 * in e's stat data. from is the main worktree's entry for the same object,
 * or NULL; where it does not hold, the object store is read. A file that
 * has been made (e->plain) is left alone.
 */
int checkout_file_make(struct checkout_file *cf, struct index_entry *e,
		       const struct index_entry *from, struct err *err);
void checkout_file_finish(struct checkout_file *cf);

#endif
