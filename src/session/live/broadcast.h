/*
 * broadcast.h - the same request to many sessions at once: none of them waits
 * for another, and each answer is told when it comes.
 */
#ifndef AFW_SESSION_LIVE_BROADCAST_H
#define AFW_SESSION_LIVE_BROADCAST_H

#include <cjson/cJSON.h>
#include <stdint.h>

#include "base/err.h"
#include "session/session.h"

/*
 * How it went with session number i of the list: reply ("ok" true; borrowed)
 * or, where it is NULL, err. ERR_UNCONFIRMED: the request was handed over,
 * and the supervisor hung up without a reply, or gave none in time.
 */
typedef void (*broadcast_fn)(void *ctx, size_t i, const cJSON *reply,
			     const struct err *err);

/*
 * Sends request (taken) to each session of l and calls fn (may be NULL) once
 * for each, in the order in which they answer. timeout_ms: for a reply; -1: as
 * long as it takes.
 */
void broadcast(const struct session_list *l, cJSON *request, int64_t timeout_ms,
	       broadcast_fn fn, void *ctx);

#endif
