/*
 * checkout.h - fills a new, empty worktree with the files of a tree, from
 * the fastest source that is sound, file by file.
 */
#ifndef AFW_WORKTREES_GIT_CHECKOUT_H
#define AFW_WORKTREES_GIT_CHECKOUT_H

#include <git2.h>
#include <time.h>

#include "worktrees/output.h"

struct checkout {
	const char *admin; /* git's directory of the new worktree */
	const char *path;  /* the new worktree */
	int dir;	   /* the same, open */
	git_index *index;  /* all files, with their stat data in the main
			      worktree's index; updated */
	int source;	   /* the main worktree, open, or -1 */
	struct timespec source_written; /* of its index */
	const char *index_file;		/* has the attributes; NULL: admin's */
	bool raw;			/* files are made as they are stored */
	bool dirs_exist;    /* some of them; no link is among their names */
	bool attributes;    /* .gitattributes or core.autocrlf may matter */
	bool symlinks;	    /* core.symlinks */
	bool crlf;	    /* what the configuration writes */
	struct output *out; /* progress, and whether to continue */
	/* results */
	size_t lfs;	 /* files left as LFS pointers */
	char filter[64]; /* a filter that git would run, or "" */
};

/*
 * Makes all directories and files, in two to four threads. On failure the
 * caller deletes the directory.
 */
int checkout_run(struct checkout *co, struct err *err);

#endif
