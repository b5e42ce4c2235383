/*
 * host_feed.h - the sessions of other machines, as they change, on an event
 * loop.
 *
 * One child per host runs `afw -H NAME ls --watch --json` (afw-hosts(7)). It is
 * started by host_feeds_open() and, if it ends or is silent for 11 s, again
 * after 1 to 30 s. No host delays another one, or the caller. The output of a
 * host is bounded and made printable (utf8_printable()): a host is not trusted.
 */
#ifndef AFW_HOSTS_HOST_FEED_H
#define AFW_HOSTS_HOST_FEED_H

#include <stdint.h>

#include "base/loop.h"
#include "hosts/host_list.h"
#include "session/session.h"

struct host_feeds;

enum host_reach {
	HOST_CONNECTING, /* for the first time */
	HOST_REACHABLE,	 /* all of its sessions were reported */
	HOST_UNREACHABLE,
};

struct host_state {
	const char *host; /* its name */
	enum host_reach reach;
	int64_t since;	    /* wall ms: retries do not change it */
	const char *reason; /* printable line; "" unless it is unreachable */
};

/*
 * Called from the loop only. None may call host_feeds_close().
 *
 * session: a session is new, or has changed. s->host is its host; s has what
 * session_from_json() sets, with times corrected by the difference of the
 * clocks. The callee takes *s over (session_finish()). If a host is this
 * machine, a session of this machine has the same id.
 *
 * removed: it was removed there. A session of an unreachable host stays, and is
 * reported as removed if it is missing when the host is reachable again.
 *
 * state: reach has changed, or the reason. Once when a host becomes reachable,
 * after its sessions.
 */
struct host_feed_events {
	void (*session)(void *ctx, struct session *s);
	void (*removed)(void *ctx, const char *host, const char *id);
	void (*state)(void *ctx, const struct host_state *state);
};

/* Copies the list. Returns at once. With no host it does nothing, ever. */
struct host_feeds *host_feeds_open(struct loop *loop,
				   const struct host_list *hosts,
				   const struct host_feed_events *events,
				   void *ctx);

/* Connects to the hosts that are new in the list. Those that are not in it any
 * more are disconnected, and their sessions reported as removed. */
void host_feeds_update(struct host_feeds *f, const struct host_list *hosts);

/* Ends the children; without a callback. f may be NULL. */
void host_feeds_close(struct host_feeds *f);

/* Call it on SIGCHLD; reaps only its own children. */
void host_feeds_reap(struct host_feeds *f);

/* Returns the state of the host of that name, or NULL; valid until the next
 * round of the loop. */
const struct host_state *host_feeds_state(const struct host_feeds *f,
					  const char *host);

#endif
