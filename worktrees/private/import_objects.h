/* import_objects.h - imports objects of a private git directory that the
 * repository lacks. */
#ifndef AFW_WORKTREES_PRIVATE_IMPORT_OBJECTS_H
#define AFW_WORKTREES_PRIVATE_IMPORT_OBJECTS_H

#include "worktrees/git/repo.h"

/* Copies the commit tip and every object that it names, or the files of index
 * if tip is NULL, from private_dir into w's repository. -1 if an object is
 * missing or invalid: then nothing is copied. */
int import_objects(const struct repo_worktree *w, const char *private_dir,
		   const git_oid *tip, git_index *index, struct err *err);

#endif
