/*
 * channel.h - one end of a socket between a supervisor and its bridge, in a
 * loop: frames in and out, bounded, never blocking.
 */
#ifndef AFW_WIRE_CHANNEL_H
#define AFW_WIRE_CHANNEL_H

#include <cjson/cJSON.h>

#include "base/err.h"
#include "base/loop.h"
#include "base/pace.h"

struct channel;

struct channel_owner {
	void *ctx;
	/* A frame has come (borrowed). */
	void (*frame)(void *ctx, const cJSON *o);
	/* Once, the last that is called: the other side has gone, or says what
	 * is no frame. All frames that it sent before have come. */
	void (*ended)(void *ctx, const char *why);
	/* Frames that come faster wait, and so does who sends them, until
	 * channel_drain(). A zeroed one: no frame waits. */
	struct pace pace;
};

/* fd, a socket, is borrowed and made not to block. The channel may not be
 * destroyed from within owner's calls, but stopped. */
struct channel *channel_create(struct loop *loop, int fd,
			       const struct channel_owner *owner);
void channel_destroy(struct channel *c); /* silent; before the loop; NULL */

/* Silent from now on; fd is not used any more, and may be closed. */
void channel_stop(struct channel *c);

/*
 * Sends o, or keeps what does not fit into the socket yet. -1: nothing of it
 * has left, nor will: ERR_LIMIT, it is too large, or the other side reads too
 * slowly; ERR_FAILED, the other side does not listen (ended comes, from the
 * loop, when it has said its last).
 */
int channel_say(struct channel *c, const cJSON *o, struct err *err);

/* Takes at once what has come by now, for the other side is known to be dead:
 * the loop would say so later. */
void channel_drain(struct channel *c);

#endif
