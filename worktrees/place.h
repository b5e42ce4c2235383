/* place.h - what a workspace's worktree, branch and git entry are called. */
#ifndef AFW_WORKTREES_PLACE_H
#define AFW_WORKTREES_PLACE_H

#include <stdbool.h>

#include "base/err.h"
#include "worktrees/repo.h"

struct place {
	char *dir;    /* <location>/.af_worktrees */
	char *base;   /* <repo>-<name> */
	char *path;   /* dir/base */
	char *branch; /* <prefix><name> */
	char *id;     /* git's entry: base, with what git allows there */
};

#define PLACE_DIR ".af_worktrees"

/* location: NULL is the directory that the repository is in. name:
 * name_check(). Fails on a prefix that makes no branch. place_finish() in
 * every case. */
int place_make(struct place *p, const struct repo *r, const char *location,
	       const char *name, const char *prefix, struct err *err);
/* Whether dir, an absolute path, is one that worktrees are made in. */
bool place_is(const char *dir);

void place_finish(struct place *p);

#endif
