/*
 * send_keep.h - messages for sessions that do not run: they are put into the
 * queue on disk (session/disk/queue.h), and go in after the next start.
 */
#ifndef AFW_COMMANDS_SEND_KEEP_H
#define AFW_COMMANDS_SEND_KEEP_H

#include <stdint.h>

#include "base/buf.h"
#include "session/live/connection.h"

/*
 * As broadcast() with a request "send": who does not run is asked nothing and
 * keeps the message, with a reply as a supervisor would give it. Who is
 * starting or stopping is waited for, KEEP_WAIT_MS at most.
 */
#define KEEP_WAIT_MS 10000
void keep_broadcast(const struct session_list *l, cJSON *request,
		    int64_t timeout_ms, broadcast_fn fn, void *ctx);

/* Puts a message (filtered, session/typable.h) into the queue of a session
 * whose lock the caller holds. flags: enum queue_flag. Its number, or -1. */
int64_t keep_put(const char *session_dir, const struct buf *text,
		 unsigned flags, struct err *err);

#endif
