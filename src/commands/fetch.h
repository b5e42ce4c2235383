/* fetch.h - a session of another machine, and its branch. */
#ifndef AFW_COMMANDS_FETCH_H
#define AFW_COMMANDS_FETCH_H

#include "base/err.h"
#include "session/session.h"

struct args;

/*
 * Asks the other machine for the session that the first positional names, and
 * fills s as far as its branch is concerned, with the repository of here; the
 * caller calls session_finish(). Returns the exit code of afw there, which has
 * printed why if that is not 0; or -1 with err. Blocks.
 */
int fetch_look(struct session *s, const struct args *args, const char *url,
	       struct err *err);

/* The same; then has afw there import its commits, and with all make the
 * reference of its work (host_git_fetch_work()). */
int fetch_prepare(struct session *s, const struct args *args, const char *url,
		  bool all, struct err *err);

#endif
