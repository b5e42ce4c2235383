/* remove.h - takes a session's own files away. */
#ifndef AFW_SESSION_DISK_REMOVE_H
#define AFW_SESSION_DISK_REMOVE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "session/session.h"

/*
 * Removes sessions/<id> with all in it, and its sockets. The caller holds the
 * session's lock. In one step the session is gone for every reader; where
 * deleting its files fails then, err says where the rest lies. The worktree
 * is not touched.
 */
int session_remove(const struct session *s, struct err *err);

/* The same for .../<id>, wherever that directory is in the data directory. */
int session_remove_dir(const char *dir, const char *id, struct err *err);

/* A session's directory that is being deleted is called this and its id. */
#define SESSION_REMOVED ".old-"

/* How many of them are in dir; apply: deletes them. Two at once do no harm. */
size_t session_remove_sweep(const char *dir, bool apply);

/* How many removals were cut off while they deleted, in the trash;
 * apply: deletes what they have left. */
size_t session_remove_unfinished(bool apply);

#endif
