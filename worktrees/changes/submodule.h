/*
 * submodule.h - reads the submodules of a worktree. Their repositories are not
 * opened by libgit2, and no file in them is read.
 */
#ifndef AFW_WORKTREES_CHANGES_SUBMODULE_H
#define AFW_WORKTREES_CHANGES_SUBMODULE_H

#include "worktrees/git/repo.h"

/* Returns the git directory of the submodule at path, to be freed; NULL if none
 * is checked out there. One that git has made for this worktree is found in
 * git's entry, even if that was moved. */
char *submodule_git_dir(const struct repo_worktree *w, const char *path);

/* Stores the commit that is checked out there; false if none is. */
bool submodule_head(const struct repo_worktree *w, const char *path,
		    git_oid *out);

/* Returns whether path is a submodule in the index; then its entry names the
 * commit that is checked out, if one is. */
bool submodule_add(const struct repo_worktree *w, git_index *index,
		   const char *path);

/* The same for all submodules; appends the paths of those that change. */
void submodule_update(const struct repo_worktree *w, git_index *index,
		      struct strv *changed);

/* Returns the git directory that the main worktree has, or would have, for the
 * submodule of git, to be freed; NULL: git is not in git's entry, nor in the
 * private git directory. */
char *submodule_main_git_dir(const struct repo_worktree *w,
			     const struct repo_place *place, const char *git);

/*
 * Refuses if HEAD names a commit of a submodule that base_commit does not, and
 * that no remote has. take: it is enough that the main worktree has the
 * submodule, as the commit can be copied there. The hint is the command that
 * pushes it.
 */
int submodule_check_saved(const struct repo_worktree *w,
			  const struct repo_place *place, bool take,
			  struct err *err);

/* The same for the commit that is checked out at path. */
int submodule_check_one(const struct repo_worktree *w,
			const struct repo_place *place, const char *path,
			bool take, struct err *err);

/*
 * Looks for such commits in all repositories of submodules in git's entry, or
 * in the private git directory, with those of other branches and of the reflog.
 * Returns the submodule's name, to be freed, or NULL.
 */
char *submodule_unsaved(const struct repo_worktree *w, const char *private);

#endif
