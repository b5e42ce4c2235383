/* place.h - what a workspace's worktree, branch and git entry are called. */
#ifndef AFW_WORKTREES_GIT_PLACE_H
#define AFW_WORKTREES_GIT_PLACE_H

#include <stdbool.h>

#include "base/err.h"
#include "worktrees/git/repo.h"

struct place {
	char *dir;    /* <location>/.af_worktrees */
	char *base;   /* <repo>-<name> */
	char *path;   /* dir/base */
	char *branch; /* <prefix><name> */
	char *id;     /* git's entry: base, with what git allows there */
};

#define PLACE_DIR    ".af_worktrees"
#define PLACE_IGNORE ".gitignore" /* in there: of the repository around it */

/* location: NULL is the directory that the repository is in. name:
 * name_check(). Fails on a prefix that makes no branch. place_finish() in
 * every case. */
int place_make(struct place *p, const struct repo *r, const char *location,
	       const char *name, const char *prefix, struct err *err);
/* git's entry for the directory base, as git would call it; to be freed. */
char *place_id(const char *base);

/* Whether dir, an absolute path, is one that worktrees are made in. */
bool place_is(const char *dir);

/* Whether a worktree in there may have this name: not afw's own ones. */
bool place_is_name(const char *base);

/* Whether dir is in the worktree of a repository. Only then does it get a
 * .gitignore: some search tools obey that inside of worktrees, too. */
bool place_has_repository_around(const char *dir);

/* Lets a repository around dir (open) ignore what is in there: a .gitignore,
 * unless there is one. */
int place_ignore(int dir, struct err *err);

/* Removes dir if nothing is in it, except that file as place_ignore() makes
 * it. */
void place_drop_empty(const char *dir);

void place_finish(struct place *p);

#endif
