/* place.h - the names of a workspace's worktree, branch and git entry. */
#ifndef AFW_WORKTREES_GIT_PLACE_H
#define AFW_WORKTREES_GIT_PLACE_H

#include <stdbool.h>

#include "base/err.h"
#include "worktrees/git/repo.h"

struct place {
	char *dir;    /* <location>/.af_worktrees, or <together> in it */
	char *base;   /* <repo>-<name>, or with <together> <repo> */
	char *path;   /* dir/base */
	char *branch; /* <prefix><name> */
	char *id;     /* git's entry: <repo>-<name>, with what git allows */
};

#define PLACE_DIR    ".af_worktrees"
#define PLACE_IGNORE ".gitignore" /* in there: for a repository around it */

/* Fails on a prefix that makes no branch. place_finish() in every case. */
int place_make(struct place *p, const struct repo *r,
	       const struct create_request *req, struct err *err);

/* True if the directory base may have that entry of git. */
bool place_is_id(const char *dir, const char *base, const char *id);

/* Returns git's name for the entry of the directory base; to be freed. */
char *place_id(const char *base);

/* True if dir, an absolute path, is a directory for worktrees: .af_worktrees,
 * or one in it for those of several repositories. */
bool place_is(const char *dir);

/* True if a worktree may have this name; false for afw's own names. */
bool place_is_name(const char *base);

/* True if dir is in the worktree of a repository. Only then does it get a
 * .gitignore, as some search tools obey that inside of worktrees, too. */
bool place_has_repository_around(const char *dir);

/* Makes a repository around dir (open) ignore its contents, by a .gitignore,
 * unless there is one. */
int place_ignore(int dir, struct err *err);

/* Removes dir if it is empty, except for the file that place_ignore() makes;
 * the same for the .af_worktrees that it is in. */
void place_drop_empty(const char *dir);

void place_finish(struct place *p);

#endif
