/* place.h - what a workspace's worktree, branch and git entry are called. */
#ifndef AFW_WORKTREES_PLACE_H
#define AFW_WORKTREES_PLACE_H

#include "base/err.h"
#include "worktrees/repo.h"

struct place {
	char *dir;    /* <parent>/.af_worktrees */
	char *base;   /* <repo>-<name> */
	char *path;   /* dir/base */
	char *branch; /* <prefix><name> */
	char *id;     /* git's entry: base, with what git allows there */
};

/* name: name_check(). Fails on a prefix that makes no branch. place_finish() in
 * every case. */
int place_make(struct place *p, const struct repo *r, const char *name,
	       const char *prefix, struct err *err);
void place_finish(struct place *p);

#endif
