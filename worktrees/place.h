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

/*
 * A name is [A-Za-z0-9_][A-Za-z0-9._-]{0,63} without "..", and what git
 * takes as part of a branch's name. ERR_USAGE otherwise.
 */
int place_check_name(const char *name, struct err *err);

/* Fails on a bad name or a prefix that makes no branch. place_finish() in
 * every case. */
int place_make(struct place *p, const struct repo *r, const char *name,
	       const char *prefix, struct err *err);
void place_finish(struct place *p);

#endif
