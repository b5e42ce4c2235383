/* packed_refs.h - the references of a repository, for another one that borrows
 * its objects. */
#ifndef AFW_WORKTREES_GIT_PACKED_REFS_H
#define AFW_WORKTREES_GIT_PACKED_REFS_H

#include <git2.h>

#include "base/buf.h"
#include "base/err.h"

/* Appends all references except symbolic ones, as in git's packed-refs. */
int packed_refs_list(git_repository *git, struct buf *out, struct err *err);

#endif
