/* connection.h - requests to the supervisor of a session, or of many. */
#ifndef AFW_SESSION_LIVE_CONNECTION_H
#define AFW_SESSION_LIVE_CONNECTION_H

#include <cjson/cJSON.h>
#include <stdint.h>

#include "base/err.h"
#include "session/session.h"
#include "wire/client.h"

#define CONNECT_TIMEOUT_MS 5000
#define CONNECT_KEYS_MS	   20000 /* a tmux that hangs is given up after 10 s */

/* Connects to the session's supervisor. ERR_NOT_RUNNING names
 * the session's state instead, and its hint the command to use. */
struct client *connect_session(const struct session *s, struct err *err);

/* Connects to the session's supervisor, sends one request and disconnects. */
cJSON *connect_request(const struct session *s, const struct request *rq,
		       int64_t timeout_ms, struct err *err);

/*
 * Gets the result for session number i of the list: reply ("ok" true; borrowed)
 * or, if it is NULL, err. ERR_UNCONFIRMED: the request was sent, but the
 * supervisor disconnected without a reply or did not reply in time.
 */
typedef void (*broadcast_fn)(void *ctx, size_t i, const cJSON *reply,
			     const struct err *err);

/*
 * Sends a request to each session of l and calls fn (may be NULL) once
 * for each, in the order in which they answer. timeout_ms: for a reply; -1: no
 * limit.
 */
void broadcast(const struct session_list *l, const struct request *rq,
	       int64_t timeout_ms, broadcast_fn fn, void *ctx);

#endif
