/* filter_git.h - lets git convert a file that libgit2 cannot. */
#ifndef AFW_WORKTREES_GIT_FILTER_GIT_H
#define AFW_WORKTREES_GIT_FILTER_GIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct filter_git {
	const char *path;     /* in the worktree */
	const char *driver;   /* of the user's configuration; or NULL */
	const char *encoding; /* working-tree-encoding; or NULL */
	bool to_store;	      /* from the worktree to the object store */
	int64_t timeout_ms;
};

/* Appends in, converted, to out. Blocks for as long as git and the user's
 * program take. */
int filter_git_run(const struct filter_git *f, const struct buf *in,
		   struct buf *out, struct err *err);

#endif
