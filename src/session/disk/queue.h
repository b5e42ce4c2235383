/*
 * queue.h - messages that wait for a session's agent: a file each in
 * sessions/<id>/queue (0700), so that none is lost or typed twice whatever
 * dies.
 *
 *   <id>.queued      waits: on disk (fsync) before anybody is told "queued"
 *   <id>.typing      claimed by the supervisor, before the first byte is typed
 *   <id>.cancelled   taken back; its last receipt is not told yet
 *
 * and removed when the last receipt is out. To claim and to take back are a
 * rename of the same name: exactly one of them succeeds. What is found as
 * .typing by the next supervisor was perhaps typed: it is reported and never
 * typed again. They go in by their numbers, unless somebody has moved one:
 * sessions/<id>/queue.order. The last number that was given is in
 * sessions/<id>/queue.last, whose lock is held for a moment only.
 *
 * Anybody may put, move and take back; only the holder of the session's lock
 * claims and removes.
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
	int rank; /* of what was moved; else the number decides */
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

/* A number that no other message has; -1 with err. */
int64_t queue_number(const char *session_dir, struct err *err);
/* The last one that was given. */
int64_t queue_last(const char *session_dir);

/* Keeps m, whose text it borrows; ERR_LIMIT if the queue is full. */
int queue_put(const char *session_dir, const struct queued *m, struct err *err);

/* A message that waits is about to be typed; is taken back. ERR_CONFLICT if it
 * does not wait any more. */
int queue_claim(const char *session_dir, int64_t id, struct err *err);
int queue_take_back(const char *session_dir, int64_t id, struct err *err);

/* Puts id in front of before: both wait, or ERR_CONFLICT. */
int queue_move(const char *session_dir, int64_t id, int64_t before,
	       struct err *err);

void queue_remove(const char *session_dir, int64_t id);
/* For one that cannot be read: kept for whoever wants to know, and no
 * message any more. */
void queue_quarantine(const char *session_dir, int64_t id);
/* Removes what writers that were killed have left. */
void queue_sweep(const char *session_dir);

/* Lists the messages in order, of all states. Returns how many; fewer than
 * there are with err (may be NULL), which is untouched if all is well. */
size_t queue_list(const char *session_dir,
		  struct queue_entry out[QUEUE_LIST_MAX], struct err *err);

/* Reads one that was listed. -1 with err if it cannot be read at the moment,
 * ERR_CONFLICT if it is in that state no longer. */
int queue_read(const char *session_dir, const struct queue_entry *e,
	       struct queued *out, struct err *err);

/* How many wait or are being typed; reads none of them. */
size_t queue_count(const char *session_dir);

/* An object as in the answer to "queue" (afw-protocol(7)). */
cJSON *queue_json(const struct queued *m);

/* Appends an object for each that waits or is being typed. Unlike
 * queue_list(), also those that cannot be read at the moment fill err. */
void queue_json_all(const char *session_dir, cJSON *list, struct err *err);

#endif
