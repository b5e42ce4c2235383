/* stop.h - stops a session, for restart and rm --stop. */
#ifndef AFW_COMMANDS_STOP_H
#define AFW_COMMANDS_STOP_H

#include <stdint.h>

#include "base/err.h"
#include "session/session.h"
#include "wire/requests.h"

/*
 * Stops a session that is running; returns when its lock is free. cmd is "stop"
 * or "suspend". grace_ms -1: the session's own stop_timeout. Blocks for the
 * grace period and 15 s at most. ERR_CONFLICT while another afw starts it.
 */
int stop_session(const struct session *s, enum request_id id, int64_t grace_ms,
		 struct err *err);

#endif
