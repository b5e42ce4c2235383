/* client_internal.h - what client*.c share: one OpenCode, and its server. */
#ifndef AFW_OPENCODE_CLIENT_INTERNAL_H
#define AFW_OPENCODE_CLIENT_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/loop.h"
#include "opencode/delivery.h"
#include "opencode/http.h"
#include "opencode/interruption.h"
#include "opencode/listener.h"
#include "opencode/sse.h"
#include "opencode/sync.h"
#include "opencode/talk.h"
#include "wire/channel.h"

#define CLIENT_LOOK_MS 250 /* between two looks for the port */

struct client {
	struct loop *loop;
	struct channel *channel;

	pid_t pid;
	struct listener listener;
	struct http *http;
	struct http_request *stream;
	struct sse sse;
	struct talk *talk;
	struct sync *sync;
	struct delivery *delivery;
	struct interruption *interruption;
	struct loop_timer *timer;
	void (*next)(struct client *c); /* when the timer is due */
	int64_t look_ms;
	bool up;
	char why[160]; /* it is not up */
};

/* Tells the supervisor, where it is news. */
void client_say_state(struct client *c, bool up, const char *why);

/* The first step; the others follow, and so on again for ever. */
void client_look(struct client *c);

/* For the parts' owners, ctx: struct client. */
void client_due(void *ctx); /* its timer */
bool client_trusted(void *ctx);
void client_synced(void *ctx, const char *what, const struct http_answer *a);
void client_event(void *ctx, const char *type, const char *data, size_t len);
void client_silent(void *ctx, const char *why);

#endif
