/*
 * private_git.h - the git directory that a session in a sandbox commits in.
 *
 * It has no object of the repository's but what is committed there, and is the
 * agent's to write: nothing in it is followed or believed here. harvest.c
 * brings its commits home.
 */
#ifndef AFW_WORKTREES_PRIVATE_PRIVATE_GIT_H
#define AFW_WORKTREES_PRIVATE_PRIVATE_GIT_H

#include <git2.h>
#include <stdbool.h>

#include "base/err.h"
#include "base/json.h"
#include "worktrees/git/repo.h"

/*
 * What ref ("refs/heads/x", "HEAD") names there: 1; 0 where there is none, or
 * it is symbolic; -1 with err where it cannot be read.
 */
int private_git_ref(const char *dir, const char *ref, git_oid *oid,
		    struct err *err);

/*
 * All that its references and HEAD name, and that HEAD has named, with
 * repetitions, to be freed, also with -1 and err: where one cannot be read, or
 * there are too many.
 */
int private_git_refs(const char *dir, git_oid **out, size_t *n,
		     struct err *err);

/* When it is made: all of its branch is home; what are submodules in git's
 * index for the worktree is not looked into. req as harvest(). */
int harvest_begin(const cJSON *req, const struct repo_worktree *w,
		  struct err *err);

/* Copies the commit tip and all that it names, or the files of index if tip is
 * NULL, from private_dir into w's repository. -1 if an object is missing or
 * invalid: then nothing is copied. */
int private_git_bring(const struct repo_worktree *w, const char *private_dir,
		      const git_oid *tip, git_index *index, struct err *err);

/*
 * "private" of the request: commits of its branch that the repository has not
 * are copied there, the branch follows, and so does the index in git's entry.
 * Nothing where the request has none. A warning goes into answer, "harvest".
 */
int harvest(const cJSON *req, cJSON *answer, struct err *err);

#endif
