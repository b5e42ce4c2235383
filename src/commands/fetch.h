/* fetch.h - a session of another machine, and its branch. */
#ifndef AFW_COMMANDS_FETCH_H
#define AFW_COMMANDS_FETCH_H

#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct args;

/*
 * Asks the other machine for the session that the first positional names, and
 * fills s as session_from_json() does, with the repository of here; the caller
 * calls session_finish(). Returns the exit code of afw there, which has
 * printed why if that is not 0; or -1 with err. Blocks.
 */
int fetch_look(struct session *s, const struct args *args, const char *url,
	       struct err *err);

/* Returns whether it was made from a branch of this repository. */
bool fetch_is_ours(const struct session *s);

/* Returns the branch of here that it is merged into: --into, or the one that it
 * was made from; borrowed. NULL with err if that one was never pushed there. */
const char *fetch_into(const struct session *s, const struct args *args,
		       const char *url, struct err *err);

/*
 * Has afw there import the commits of a session in a sandbox, which are in its
 * own git directory until then; with all, also make the reference of its work
 * (host_git_fetch_work()). Returns as fetch_look() does. Blocks.
 */
int fetch_import(const struct session *s, const char *url, bool all,
		 struct err *err);

#endif
