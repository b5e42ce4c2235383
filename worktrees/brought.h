/*
 * brought.h - which files create copied or linked into a worktree, so that
 * they count neither as the agent's work nor against removal.
 */
#ifndef AFW_WORKTREES_BROUGHT_H
#define AFW_WORKTREES_BROUGHT_H

#include <stdbool.h>

#include "worktrees/repo.h"

struct brought {
	struct strv paths; /* relative, directories without a slash */
	char *from;	   /* the main worktree */
};

/* The file in git's entry that holds it (JSON). */
#define BROUGHT_FILE "afw"

/* Written once, at creation. */
int brought_write(int entry, const char *from, const struct strv *copied,
		  const struct strv *linked, struct err *err);

/* Absent or broken: nothing was brought. brought_finish() afterwards. */
void brought_read(struct brought *b, const struct repo_worktree *w);
void brought_finish(struct brought *b);

/*
 * Whether the untracked path in the worktree was brought and is still what
 * the main worktree has (a symlink to it, or same size and mtime).
 */
bool brought_has(const struct brought *b, const struct repo_worktree *w,
		 const char *path);

#endif
