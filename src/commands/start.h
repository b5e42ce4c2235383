/* start.h - starts a session for another command. */
#ifndef AFW_COMMANDS_START_H
#define AFW_COMMANDS_START_H

#include "base/err.h"
#include "session/session.h"

/* As `afw start NAME`, with its conversation if it has one, but prints nothing.
 * Nothing is done if it is running. */
int start_quietly(struct session *s, struct err *err);

#endif
