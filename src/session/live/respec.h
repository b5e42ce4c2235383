/* respec.h - changes what the user may change of a session's specification at
 * any time: its name, its flags. */
#ifndef AFW_SESSION_LIVE_RESPEC_H
#define AFW_SESSION_LIVE_RESPEC_H

#include "session/session.h"

/* Changes now, which was just read from the file; -1 with err: nothing is
 * saved. s: the session as it is, with its state. */
typedef int respec_fn(struct spec *now, const struct session *s,
		      const void *ctx, struct err *err);

/*
 * Reads s again, and has change() edit its specification, which is saved; a
 * running supervisor reads it again, or everything stays as it was. Locked
 * against other such changes and against new names. ERR_CONFLICT for a session
 * without a supervisor yet, which afw new is still writing. Blocks.
 */
int respec(struct session *s, respec_fn *change, const void *ctx,
	   struct err *err);

#endif
