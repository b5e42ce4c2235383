/* start.h - starting a session that is not alive, for start, resume, retry
 * and restart. */
#ifndef AFW_COMMANDS_START_H
#define AFW_COMMANDS_START_H

#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct args;

/*
 * Starts the harness with what args give (options message, file, env,
 * env-file, json) and says on standard output whether it resumed its
 * conversation. ERR_CONFLICT where somebody else was faster.
 */
int start_session(const struct session *s, const struct args *args, bool resume,
		  struct err *err);

#endif
