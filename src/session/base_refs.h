/* base_refs.h - where git stores the branch that a session's work goes to. */
#ifndef AFW_SESSION_BASE_REFS_H
#define AFW_SESSION_BASE_REFS_H

#include "session/spec.h"

/*
 * Appends the paths of the references that move if somebody merges the work of
 * s: its base branch, here and at each remote; if that is a commit, or the
 * session's own branch, the repository's present branch. Some do not exist, or
 * are in packed-refs. All have the same last part.
 */
void base_refs(const struct spec *s, struct strv *out);

#endif
