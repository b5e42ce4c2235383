/*
 * private_ref.h - reads references of the git directory that a session in a
 * sandbox commits in. The agent can write it: no link in it is followed.
 */
#ifndef AFW_WORKTREES_PRIVATE_PRIVATE_REF_H
#define AFW_WORKTREES_PRIVATE_PRIVATE_REF_H

#include <git2.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/*
 * Stores the commit of ref ("refs/heads/x", "HEAD") there and returns 1; 0 if
 * there is none, or it is symbolic; -1 with err if it cannot be read.
 */
int private_ref_find(const char *dir, const char *ref, git_oid *oid,
		     struct err *err);

/* Stores the commit of HEAD there; false if it has none. */
bool private_ref_head(const char *dir, git_oid *oid);

/* Beside the directory, in a place that the agent cannot change: the references
 * of the user with which it was made, as in packed-refs. */
#define PRIVATE_REF_FIRST ".refs"

/*
 * Lists everything that its references and HEAD name, and that HEAD has named,
 * except what it was made with. *out is to be freed, also after -1 with err: if
 * one cannot be read, there are too many, or none.
 */
int private_ref_list(const char *dir, git_oid **out, size_t *n,
		     struct err *err);

#endif
