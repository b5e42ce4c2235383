/*
 * store.h - creates the directories of sessions, moves them to the trash,
 * restores and deletes them.
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
 * Removes sessions/<id> with its contents and its sockets. The caller holds the
 * session's lock. One rename removes the session for every reader; if deleting
 * the files then fails, err says where the rest is. The worktree is not
 * touched.
 */
int session_remove(const struct session *s, struct err *err);

/* The same for .../<id>, wherever that directory is in the data directory. */
int session_remove_dir(const char *dir, const char *id, struct err *err);

/* A session's directory that is being deleted is called this and its id. */
#define SESSION_REMOVED ".old-"

/* Returns how many interrupted removals there are in the trash, and deletes
 * what they left if apply is set. */
size_t session_remove_unfinished(bool apply);

/* Creates a staging directory and returns the descriptor of its lock, or -1.
 * First deletes those that killed processes left. */
int staging_create(char staged[SPEC_ID_LEN + 1], struct err *err);

/* Returns its path; to be freed. */
char *staging_dir(const char *staged, struct err *err);

/* Renames it to sessions/<id>; the lock stays held. */
int staging_publish(const char *staged, const char *id, struct err *err);

/* Deletes it; the caller holds its lock. */
void staging_drop(const char *staged);

/* Returns how many staging directories no process holds, and deletes them if
 * apply is set. */
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
int trash_add(const struct session *s, const cJSON *worktree, struct err *err);

/* Records whether the entry is about to be deleted. The caller holds the lock
 * in t->dir. */
void trash_set_deleting(const struct trashed *t, bool deleting);

/* Lists the trash, oldest first. With -1, l has the entries that could be read.
 */
int trash_list(struct trashed_list *l, struct err *err);
void trash_list_finish(struct trashed_list *l);

/* Moves the files back to sessions/<id>. The caller holds the lock in t->dir.
 */
int trash_restore(const struct trashed *t, struct err *err);

/* Deletes the files for good. */
int trash_delete(const struct trashed *t, struct err *err);

#endif
