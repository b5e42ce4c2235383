/* interruption.h - the end of a turn, asked of OpenCode's server. */
#ifndef AFW_OPENCODE_INTERRUPTION_H
#define AFW_OPENCODE_INTERRUPTION_H

#include <stdbool.h>

#include "opencode/http.h"
#include "opencode/talk.h"

struct interruption;

/* loop, http and talk are borrowed. over is called once for each start. */
struct interruption *interruption_create(struct loop *loop, struct http *http,
					 struct talk *talk,
					 void (*over)(void *ctx, bool ok),
					 void *ctx);
void interruption_destroy(struct interruption *i); /* silent; NULL */

/*
 * Nothing works and nothing is asked: over at once, not ok. One that is under
 * way goes on. It is asked again, silently, while this very turn goes on, for
 * 15 s: OpenCode 1.18 answers an abort with 200 and may yet forget it, before
 * the turn works and, seen with the process stopped for 2 s, later, too.
 */
void interruption_start(struct interruption *i);

/* Something was told of the talk. */
void interruption_told(struct interruption *i);

/* A message is about to be posted: its turn is not to be ended. */
void interruption_forget(struct interruption *i);

/* Its request was ended, and the stream of events. */
void interruption_lost(struct interruption *i);

#endif
