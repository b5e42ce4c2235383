/* remove.h - takes a session's own files away. */
#ifndef AFW_SESSION_REMOVE_H
#define AFW_SESSION_REMOVE_H

#include "base/err.h"
#include "session/session.h"

/*
 * Removes sessions/<id> with all in it, and its socket. The caller holds the
 * session's lock. In one step the session is gone for every reader; where
 * deleting its files fails then, err says where the rest lies. The worktree
 * is not touched.
 */
int session_remove(const struct session *s, struct err *err);

#endif
