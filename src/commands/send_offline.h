/* send_offline.h - messages for sessions that are not running: stored in the
 * queue on disk (session/disk/queue.h), and delivered after the next start. */
#ifndef AFW_COMMANDS_SEND_OFFLINE_H
#define AFW_COMMANDS_SEND_OFFLINE_H

#include <stdint.h>

#include "base/buf.h"
#include "session/live/connection.h"

/*
 * Like broadcast() with the request "send". For a session that is not running
 * the message is stored, with a reply like a supervisor's. For a session that
 * is starting or stopping, waits SEND_OFFLINE_WAIT_MS at most. Blocks.
 */
#define SEND_OFFLINE_WAIT_MS 10000
void send_offline_broadcast(const struct session_list *l,
			    const struct request *rq, int64_t timeout_ms,
			    broadcast_fn fn, void *ctx);

/* Stores a message (filtered, session/typable.h) in the queue of a session
 * whose lock the caller holds. flags: enum queue_flag. Returns its number, or
 * -1. */
int64_t send_offline_add(const char *session_dir, const struct buf *text,
			 unsigned flags, struct err *err);

#endif
