/*
 * sync.h - what is so, asked of OpenCode's server: all of it once when the
 * stream of events has begun, and its states again where they are in doubt.
 */
#ifndef AFW_OPENCODE_SYNC_H
#define AFW_OPENCODE_SYNC_H

#include "base/loop.h"
#include "opencode/delivery.h"
#include "opencode/http.h"
#include "opencode/talk.h"

struct sync;

struct sync_owner {
	void *ctx;
	struct loop *loop;
	struct http *http;	   /* borrowed */
	struct talk *talk;	   /* borrowed: is told what is so */
	struct delivery *delivery; /* borrowed: is told who may answer */
	/* Once for each sync_begin(): all is known (what NULL); or what went
	 * wrong, and the answer that shows it. */
	void (*over)(void *ctx, const char *what, const struct http_answer *a);
};

struct sync *sync_create(const struct sync_owner *owner);
void sync_destroy(struct sync *s); /* silent; NULL */

/* Whoever works in directory (copied) goes on with its last conversation,
 * unless talk has one by then: the first answer settles it. */
void sync_last(struct sync *s, const char *directory);

void sync_begin(struct sync *s);

/* Something does not fit together: asks again, a little later. Not while
 * sync_begin()'s questions are under way, or nothing is known. */
void sync_doubt(struct sync *s);

/* Its requests were ended: nothing is known any more, and over is not called.
 * May be called from within over. */
void sync_lost(struct sync *s);

#endif
