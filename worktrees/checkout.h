/*
 * checkout.h - fills a new, empty worktree with the files of a tree, from
 * the fastest source that is sound, file by file.
 */
#ifndef AFW_WORKTREES_CHECKOUT_H
#define AFW_WORKTREES_CHECKOUT_H

#include "worktrees/index_file.h"
#include "worktrees/output.h"
#include "worktrees/tree_list.h"

struct checkout {
	const char *admin;	/* git's directory of the new worktree */
	const char *path;	/* the new worktree */
	int dir;		/* the same, open */
	struct tree_list *list; /* gets the stat data of the new files */
	const struct index_file *source_index; /* of the main worktree; may
						  be NULL */
	int source;	    /* the main worktree, open, or -1 */
	bool attributes;    /* .gitattributes or core.autocrlf may matter */
	bool symlinks;	    /* core.symlinks */
	struct output *out; /* progress, and whether to go on */
	/* results */
	size_t copied;	   /* files that came from the main worktree */
	size_t lfs;	   /* files left as LFS pointers */
	size_t submodules; /* left empty */
	char filter[64];   /* a filter that could not run, or "" */
};

/*
 * Makes all directories and files. Two to four threads. On failure what was
 * made so far is there: the caller deletes the directory.
 */
int checkout_run(struct checkout *co, struct err *err);

#endif
