/*
 * client.h - talks to one session's supervisor over its control socket.
 *
 * Every call has a deadline. Requests: wire/requests.def; replies and
 * events: afw-protocol(7).
 */
#ifndef AFW_WIRE_CLIENT_H
#define AFW_WIRE_CLIENT_H

#include <cjson/cJSON.h>
#include <signal.h>
#include <stdint.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "wire/requests.h"

struct client;

/*
 * Connects to the socket at path. ERR_NOT_RUNNING if no process listens,
 * ERR_FAILED if the peer belongs to another user. It does not wait for the
 * greeting, so that a caller can open many at once: client_greeting() reads
 * that (ERR_FAILED if the peer has another version; ERR_TIMEOUT if it has not
 * come within timeout_ms; 0: only if it is here already).
 */
struct client *client_open(const char *path, int64_t timeout_ms,
			   struct err *err);
int client_greeting(struct client *c, int64_t timeout_ms, struct err *err);

/* The same over a connected descriptor, which the client then owns. */
struct client *client_adopt(int fd, int64_t timeout_ms, struct err *err);

void client_destroy(struct client *c);
CLEANUP_POINTER(struct client, client_destroy)
#define _client_ CLEANUP(client_destroy_at)

/* Makes each wait end with ERR_FAILED after a signal has set *by. */
void client_interrupted_by(struct client *c, const volatile sig_atomic_t *by);
int client_fd(const struct client *c); /* for poll(): POLLIN */

/* Sends a request, with a descriptor (or -1). timeout_ms 0: only if there is
 * room for it now. */
#define CLIENT_SEND_MS 10000
int client_send(struct client *c, const struct request *rq, int fd,
		int64_t timeout_ms, struct err *err);

/*
 * Sends a request and waits for its reply; events that come first are kept for
 * client_next(). The reply ("ok" true) is to be deleted; NULL with the peer's
 * error and code if it refuses.
 */
cJSON *client_request(struct client *c, const struct request *rq, int fd,
		      int64_t timeout_ms, struct err *err);

/*
 * Returns the next event, to be deleted, waiting up to timeout_ms (0: only one
 * that is here already). NULL with err->kind ERR_TIMEOUT if none came,
 * ERR_NOT_RUNNING if the peer closed the connection.
 */
cJSON *client_next(struct client *c, int64_t timeout_ms, struct err *err);

#endif
