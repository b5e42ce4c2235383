/* lost.h - what readers see of a lost session (session.h), written down. */
#ifndef AFW_SESSION_LOST_H
#define AFW_SESSION_LOST_H

#include <stdbool.h>

#include "session/session.h"

/*
 * Writes into the state of s, whose supervisor is gone, what s says of it:
 * phase error and why; resumable: `afw resume --all` is to bring it back. The
 * caller holds the session's lock. 1 where that was news, 0 where it stands
 * there already or it is not in error; -1 with err.
 */
int lost_note(const struct session *s, bool resumable, struct err *err);

#endif
