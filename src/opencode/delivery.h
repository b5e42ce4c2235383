/*
 * delivery.h - one message into OpenCode by its server, once: made to belong
 * to the conversation that the user looks at, posted under a name of our own,
 * and known to have arrived when that name comes back in its events.
 */
#ifndef AFW_OPENCODE_DELIVERY_H
#define AFW_OPENCODE_DELIVERY_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "base/loop.h"
#include "opencode/http.h"
#include "opencode/talk.h"

struct delivery;

struct delivery_owner {
	void *ctx;
	struct loop *loop;
	struct http *http; /* borrowed */
	struct talk *talk; /* borrowed */
	/* A request was not answered, none is under way. Who is told calls
	 * delivery_lost() or, when the server answers again,
	 * delivery_again(). */
	void (*silent)(void *ctx, const char *why);
	/* How far it came: words of wire/bridge.h. After all but "submitted"
	 * it is over, and the next may be started. */
	void (*receipt)(void *ctx, int64_t id, const char *receipt,
			const char *detail);
};

struct delivery *delivery_create(const struct delivery_owner *owner);
void delivery_destroy(struct delivery *d); /* silent; NULL */

/* Who answers where no message says so yet: from the command line; NULL. */
void delivery_defaults(struct delivery *d, const char *agent,
		       const char *model);
/* The list of agents, as it comes (borrowed): what a mode may name. */
void delivery_agents(struct delivery *d, const cJSON *agents);

/* A request "send"; not while one is under way. */
void delivery_start(struct delivery *d, int64_t id, const char *text,
		    const char *mode);

/* talk's events. took, left: whether it is our last message. One that was left
 * is posted again, by its name and with no text: OpenCode 1.18 changes nothing
 * of it then, and begins with what it finds unanswered, if anything. */
bool delivery_took(struct delivery *d, const char *message);
void delivery_refused(struct delivery *d, const char *why);
bool delivery_left(struct delivery *d, const char *message);

/* No request can be made any more, and those under way were ended: what was
 * not posted is "unsent"; of what was, nothing is said until … */
void delivery_lost(struct delivery *d, const char *why);
/* … requests can be made again. */
void delivery_again(struct delivery *d);

#endif
