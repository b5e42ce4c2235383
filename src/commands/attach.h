/* attach.h - attaching this terminal: `afw attach` and `new --attach`. */
#ifndef AFW_COMMANDS_ATTACH_H
#define AFW_COMMANDS_ATTACH_H

#include <stdbool.h>

#include "base/err.h"
#include "config/config.h"
#include "session/session.h"

/*
 * Gives the terminal to the session until the user detaches or the harness
 * ends, and restores it in every case. Blocks. ERR_FAILED if the connection was
 * lost.
 */
int attach_session(const struct session *s, const struct config *config,
		   bool read_only, struct err *err);

#endif
