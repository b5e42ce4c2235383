/*
 * ports.h - the block of SESSION_PORTS ports that a session has as long as it
 * exists, and its slug.
 */
#ifndef AFW_SESSION_LIVE_PORTS_H
#define AFW_SESSION_LIVE_PORTS_H

#include <stdbool.h>

#include "session/session.h"

/*
 * Sets first_port of s to a block of range (session_vars_range(); "": none)
 * that no session of l has and nobody listens on, and slug if s has none.
 * Sessions of one name get the same block if it is free. ERR_LIMIT if there is
 * none. The caller holds limit_lock().
 */
int ports_choose(struct spec *s, const struct session_list *l,
		 const char *range, struct err *err);

/* The same for a session that has none, and stores it. The caller holds the
 * session's lock; takes limit_lock(). */
int ports_ensure(const struct session *s, const char *range, struct err *err);

/* After a session was restored: takes its block from it if another has one of
 * its ports now. The caller holds limit_lock(). */
int ports_give_up_taken(const char *id, struct err *err);

/* Returns whether a server can listen on the port now. */
bool ports_is_free(int port);

#endif
