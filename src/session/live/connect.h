/* connect.h - the session that a user means, and its supervisor. */
#ifndef AFW_SESSION_LIVE_CONNECT_H
#define AFW_SESSION_LIVE_CONNECT_H

#include "base/err.h"
#include "session/session.h"
#include "wire/client.h"

#define CONNECT_TIMEOUT_MS 5000
#define CONNECT_KEYS_MS	   20000 /* a tmux that hangs is given up after 10 s */

/* Connects to the session's supervisor. ERR_NOT_RUNNING says in words what
 * the session is instead, with the command that helps as hint. */
struct client *connect_session(const struct session *s, struct err *err);

/* The same without waiting for the greeting (client_open()). */
struct client *connect_open(const struct session *s, struct err *err);

/* One request without a descriptor: {"op": op, ...members of more}, more is
 * taken and may be NULL. */
cJSON *connect_ask(struct client *c, const char *op, cJSON *more,
		   int64_t timeout_ms, struct err *err);

/* Both: a request to a session's supervisor, over a connection of its own. */
cJSON *connect_request(const struct session *s, const char *op, cJSON *more,
		       int64_t timeout_ms, struct err *err);

#endif
