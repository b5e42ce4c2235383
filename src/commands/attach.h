/* attach.h - attaches this terminal to a session: `afw attach` and `new
 * --attach`. */
#ifndef AFW_COMMANDS_ATTACH_H
#define AFW_COMMANDS_ATTACH_H

#include <stdbool.h>

#include "base/err.h"
#include "config/config.h"
#include "session/session.h"

/*
 * Shows the session on the terminal until the user detaches or the harness
 * ends, and restores the terminal in every case. Blocks. ERR_FAILED if the
 * connection was lost.
 */
int attach_session(const struct session *s, const struct config *config,
		   bool read_only, struct err *err);

#endif
