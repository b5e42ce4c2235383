/* wanted.h - which files of a worktree a scan reads: those that are not
 * ignored, and those that git's index or another tree has. */
#ifndef AFW_WORKTREES_CHECKPOINT_WANTED_H
#define AFW_WORKTREES_CHECKPOINT_WANTED_H

#include "worktrees/checkpoint/scan.h"

struct wanted {
	struct scan *s; /* its members w, tracked, index_file and also */
	size_t next;	/* where the next path may be in tracked */
	struct buf raw; /* git's index */
	int searches;	/* of it */
};

/* Opens git's index, if it is not open. */
int wanted_open(struct scan *s, struct err *err);

/* Returns 1 if the file is to be read; 0; -1. ignored: its directory is. */
int wanted_file(struct wanted *k, const char *path, bool ignored,
		struct err *err);

/* Returns 1 if the file, or one below the directory ("a/"), is read even if it
 * is ignored; 0; -1. */
int wanted_known(struct wanted *k, const char *path, struct err *err);

bool wanted_ignored(const struct wanted *k, const char *path);
void wanted_finish(struct wanted *k);

#endif
