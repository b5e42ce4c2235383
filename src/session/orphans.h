/* orphans.h - what a harness left behind when its supervisor was killed. */
#ifndef AFW_SESSION_ORPHANS_H
#define AFW_SESSION_ORPHANS_H

#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/*
 * Ends every process of ours whose environment says that it belongs to the
 * session id (AF_SESSION_ID): TERM, after grace_ms KILL. This process and
 * those above it are spared. The caller holds the session's lock, so that no
 * supervisor is there whose they could be. Blocks until they are gone, a
 * second longer than grace_ms at most. Returns how many there were; -1 where
 * some will not go.
 *
 * While the supervisor lives it finds them all, as their reaper; this is for
 * its death by KILL, and does not find one that has emptied its environment.
 */
int orphans_end(const char *id, int64_t grace_ms, struct err *err);

/*
 * Calls fn for every process of ours whose environment has AF_SESSION_ID,
 * whether its supervisor lives or not, but for this one and those above it.
 * id is borrowed for the call.
 */
typedef void (*orphans_fn)(void *ctx, pid_t pid, const char *id);
void orphans_each(orphans_fn fn, void *ctx);

#endif
