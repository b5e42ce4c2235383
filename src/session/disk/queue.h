/*
 * queue.h - the queued messages of a session: one file each in
 * sessions/<id>/queue (0700), so that none is lost or typed twice, whichever
 * process dies.
 *
 *   <id>.queued      on disk (fsync) before "queued" is reported
 *   <id>.typing      claimed by the supervisor before it types the first byte
 *   <id>.cancelled   cancelled; its last receipt is not sent yet
 *
 * The file is removed after the last receipt. Claiming and cancelling rename
 * the same file, so exactly one of them succeeds. A message that the next
 * supervisor finds as .typing was perhaps typed: it is reported and never typed
 * again. Messages are delivered in the order of their numbers, unless the user
 * has moved one (sessions/<id>/queue.order). sessions/<id>/queue.last holds the
 * last number that was used; its lock is held for a moment only.
 *
 * Any process may put, move and cancel; only the holder of the session's lock
 * may claim and remove.
 */
#ifndef AFW_SESSION_DISK_QUEUE_H
#define AFW_SESSION_DISK_QUEUE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"

#define QUEUE_MAX	64 /* messages, and their bytes: */
#define QUEUE_BYTES_MAX ((size_t)4 * 1024 * 1024)
#define QUEUE_LIST_MAX	(2 * QUEUE_MAX)

enum queue_flag { /* as in the files: never renumber; 4 was used */
		  QUEUE_RAW = 1,
		  QUEUE_NOW = 2,
		  QUEUE_WHEN_IDLE = 8,
};

enum queue_state { QUEUE_WAITS, QUEUE_TYPING, QUEUE_CANCELLED };

struct queue_entry {
	int64_t id; /* from 1; higher ones came later */
	enum queue_state state;
	int rank; /* of moved messages; the others are ordered by id */
};

struct queued {
	int64_t id;
	enum queue_state state;
	unsigned flags; /* enum queue_flag */
	int64_t at;	/* wall ms of its arrival; 0: unknown */
	char *text;	/* filtered (session/typable.h); NULL: unreadable */
	size_t len;
};
void queued_finish(struct queued *m); /* frees text */
#define _queued_ CLEANUP(queued_finish)

/* Returns a number that no other message has; -1 with err. */
int64_t queue_number(const char *session_dir, struct err *err);
/* Returns the last number that was used. */
int64_t queue_last(const char *session_dir);

/* Keeps m, whose text it borrows; ERR_LIMIT if the queue is full. */
int queue_add(const char *session_dir, const struct queued *m, struct err *err);

/* Claims a queued message for typing; puts a claimed one back, because Enter
 * was not pressed; cancels a queued one. ERR_CONFLICT if it is no longer in
 * that state. */
int queue_claim(const char *session_dir, int64_t id, struct err *err);
int queue_unclaim(const char *session_dir, int64_t id, struct err *err);
int queue_cancel(const char *session_dir, int64_t id, struct err *err);

/* Moves id ahead of before; ERR_CONFLICT unless both are queued. */
int queue_move(const char *session_dir, int64_t id, int64_t before,
	       struct err *err);

void queue_remove(const char *session_dir, int64_t id);
/* Sets a message aside that cannot be read: its file is kept, but it is no
 * longer queued. */
void queue_quarantine(const char *session_dir, int64_t id);
/* Removes the temporary files of writers that were killed. */
void queue_sweep(const char *session_dir);

/* Lists the messages of all states in order and returns how many. If not all
 * can be listed, err (may be NULL) is set; otherwise it is left unchanged. */
size_t queue_list(const char *session_dir,
		  struct queue_entry out[QUEUE_LIST_MAX], struct err *err);

/* Reads one that was listed. -1 with err if it cannot be read at the moment,
 * ERR_CONFLICT if it is in that state no longer. */
int queue_read(const char *session_dir, const struct queue_entry *e,
	       struct queued *out, struct err *err);

/* Returns how many are queued or being typed; reads no message. */
size_t queue_count(const char *session_dir);

/* An object as in the answer to "queue" (afw-protocol(7)). */
cJSON *queue_json(const struct queued *m);

/* Appends an object for each message that is queued or being typed. Unlike
 * queue_list(), also sets err if one cannot be read at the moment. */
void queue_json_all(const char *session_dir, cJSON *list, struct err *err);

#endif
