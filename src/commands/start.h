/* start.h - starting a session that is not alive, for start, resume, retry
 * and restart. */
#ifndef AFW_COMMANDS_START_H
#define AFW_COMMANDS_START_H

#include <stdbool.h>

#include "base/err.h"
#include "session/limit.h"
#include "session/session.h"

struct args;

struct start;

/*
 * What a start takes, read and checked before anything is changed, to be
 * destroyed; or NULL with err. resume: the conversation is to go on. Warns of
 * variables that are missing. start_go() is for the same s and args.
 */
struct start *start_prepare(const struct session *s, const struct args *args,
			    bool resume, struct err *err);
int start_go(struct start *st, const struct session *s,
	     const struct args *args, struct err *err);
void start_destroy(struct start *st);

/* How many may run. */
const struct limit *start_limit(const struct start *st);

/*
 * Both in one: starts the harness with what args give (options message, file,
 * env, env-file, json) and says on standard output whether it resumed its
 * conversation. ERR_CONFLICT where somebody else was faster.
 */
int start_session(const struct session *s, const struct args *args, bool resume,
		  struct err *err);

#endif
