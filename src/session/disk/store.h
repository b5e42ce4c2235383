/*
 * store.h - the directories of sessions: made, put into the trash, brought
 * back, deleted.
 */
#ifndef AFW_SESSION_DISK_STORE_H
#define AFW_SESSION_DISK_STORE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "session/session.h"
#include "session/spec.h"

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

/* Makes one, and takes its lock: the descriptor, or -1. Sweeps what others
 * have left. */
int staging_make(char staged[SPEC_ID_LEN + 1], struct err *err);

/* Its path; to be freed. */
char *staging_dir(const char *staged, struct err *err);

/* Renames it to sessions/<id>; the lock goes with it. */
int staging_publish(const char *staged, const char *id, struct err *err);

/* Deletes it; the caller holds its lock. */
void staging_drop(const char *staged);

/* How many there are that nobody holds; apply: deletes them. */
size_t staging_sweep(bool apply);

struct trashed {
	char *dir; /* trash/<id> */
	struct spec spec;
	int64_t removed_at; /* wall ms */
	cJSON *worktree;    /* the answer of op "remove"; NULL: it had none */
	bool deleting;	    /* it has no unsaved work, so rm deletes it */
};

struct trashed_list {
	struct trashed *v;
	size_t n;
};

/*
 * Moves the session's files to the trash in one step. worktree (may be
 * NULL) is borrowed; on a full disk it is left out. The caller holds the
 * session's lock.
 */
int trash_put(const struct session *s, const cJSON *worktree, struct err *err);

/* Records whether the entry is about to be deleted. The caller holds the lock
 * in t->dir. */
void trash_set_deleting(const struct trashed *t, bool deleting);

/* All of them, oldest first. With -1, l has those that could be read. */
int trash_list(struct trashed_list *l, struct err *err);
void trash_list_finish(struct trashed_list *l);

/* The files back to sessions/<id>. The caller holds the lock in t->dir. */
int trash_take_back(const struct trashed *t, struct err *err);

/* Deletes the files for good. */
int trash_delete(const struct trashed *t, struct err *err);

#endif
