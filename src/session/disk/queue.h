/*
 * queue.h - messages that wait for a session's harness, on disk: one file for
 * each in sessions/<id>/queue (0700), so that none is lost or typed twice
 * whatever dies.
 *
 *   <id>.queued   written (fsync) before anybody is told "queued"
 *   <id>.typing   renamed (fsync) before the first byte is typed
 *
 * and removed when the last receipt is out. They go in by their numbers, but
 * as sessions/<id>/queue.order says where somebody has moved one. What is
 * found as .typing was perhaps typed: it is reported and never typed again.
 * Only the holder of the session's lock calls these, the supervisor, or afw
 * where there is none; but for queue_count() and queue_load() that does not
 * sweep.
 */
#ifndef AFW_SESSION_DISK_QUEUE_H
#define AFW_SESSION_DISK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define QUEUE_MAX	64 /* messages, and their bytes: */
#define QUEUE_BYTES_MAX ((size_t)4 * 1024 * 1024)

enum queue_flag { /* as in the files: never renumber */
		  QUEUE_RAW = 1,
		  QUEUE_NOW = 2,
};

struct queued {
	int64_t id;	  /* from 1; higher ones came later */
	bool typing;	  /* perhaps typed already */
	unsigned flags;	  /* enum queue_flag, and what the sender adds */
	int64_t at;	  /* wall ms of its arrival; 0: unknown */
	const char *text; /* filtered (base/typable.h); NULL: unreadable */
	size_t len;
};

/* ERR_LIMIT where n messages of together so many bytes leave no room for one
 * of len. */
int queue_room(size_t n, size_t bytes, size_t len, struct err *err);

int queue_put(const char *session_dir, const struct queued *m, struct err *err);
int queue_typing(const char *session_dir, int64_t id, struct err *err);
void queue_remove(const char *session_dir, int64_t id);
/* Puts id in front of before: true, or false where one of them is not in ids.
 * _order() keeps that: a message that is not among ids goes in after them. */
bool queue_move(int64_t *ids, size_t n, int64_t id, int64_t before);
int queue_order(const char *session_dir, const int64_t *ids, size_t n,
		struct err *err);
/* For one that cannot be read: kept for whoever wants to know, and no
 * message any more. */
void queue_quarantine(const char *session_dir, int64_t id);

/* Calls fn for each message in order; text is borrowed, and fn may remove
 * the message. sweep: takes away what a writer that was killed left. Returns
 * the highest id there is, 0: none. One that cannot be read at the moment is
 * left out and stays: err (may be NULL) is filled then, and untouched where all
 * is well. */
typedef void (*queue_fn)(void *ctx, const struct queued *m);
int64_t queue_load(const char *session_dir, bool sweep, queue_fn fn, void *ctx,
		   struct err *err);

/* Of a text the first line with something in it, safe to show. */
#define QUEUE_LINE 200
void queue_line(char out[QUEUE_LINE], const char *text, size_t len);

/* How many files wait; reads none of them. */
size_t queue_count(const char *session_dir);

/*
 * For afw, where it holds the lock and no supervisor lives: the state counts
 * them, and knows the last number that was given. A lost session's state
 * stays as its writer left it.
 */
void queue_record(const char *session_dir);

#endif
