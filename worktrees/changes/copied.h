/*
 * copied.h - remembers which files create copied, linked or rendered into a
 * worktree: they are neither the agent's work nor a reason to keep it.
 */
#ifndef AFW_WORKTREES_CHANGES_COPIED_H
#define AFW_WORKTREES_CHANGES_COPIED_H

#include <stdbool.h>
#include <sys/stat.h>

#include "worktrees/git/repo.h"

struct copied {
	struct strv paths;    /* relative, directories without a slash */
	struct strv rendered; /* "SIZE MTIME PATH" */
	char *from;	      /* the main worktree */
	const char *to;	      /* the worktree; borrowed */
};

/* The file (JSON) in git's entry. */
#define COPIED_FILE "afw"

/* Writes it, once, at creation. */
int copied_write(int entry, const char *from, const struct strv *copied,
		 const struct strv *linked, struct err *err);

/* Adds a file that was rendered, with its size and mtime. */
int copied_add_rendered(int entry, const char *path, const struct stat *st,
			struct err *err);

/* Reads it; if it is absent or broken, nothing was copied. copied_finish()
 * afterwards. */
void copied_read(struct copied *b, const struct repo_worktree *w);
void copied_finish(struct copied *b);

/*
 * True if the untracked path in the worktree was copied or linked and is still
 * the same in the main worktree (a symlink to it, or same size and mtime); or
 * if it was rendered, and has that size and mtime.
 */
bool copied_has(const struct copied *b, const char *path);

#endif
