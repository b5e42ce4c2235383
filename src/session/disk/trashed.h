/*
 * trashed.h - sessions that rm has put aside: data_dir/trash/<id>, with the
 * files they had and trash.json, which says where their worktree is.
 */
#ifndef AFW_SESSION_DISK_TRASHED_H
#define AFW_SESSION_DISK_TRASHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/err.h"
#include "session/session.h"
#include "session/spec.h"

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
