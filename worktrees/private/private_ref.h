/*
 * private_ref.h - the references of the git directory that a session in a
 * sandbox commits in. It is the agent's to write: nothing in it is followed.
 */
#ifndef AFW_WORKTREES_PRIVATE_PRIVATE_REF_H
#define AFW_WORKTREES_PRIVATE_PRIVATE_REF_H

#include <git2.h>
#include <stddef.h>

#include "base/err.h"

/*
 * What ref ("refs/heads/x", "HEAD") names there: 1; 0 if there is none, or it
 * is symbolic; -1 with err if it cannot be read.
 */
int private_ref_find(const char *dir, const char *ref, git_oid *oid,
		     struct err *err);

/*
 * All that its references and HEAD name, and that HEAD has named, with
 * repetitions, to be freed, also with -1 and err: if one cannot be read, or
 * there are too many.
 */
int private_ref_list(const char *dir, git_oid **out, size_t *n,
		     struct err *err);

#endif
