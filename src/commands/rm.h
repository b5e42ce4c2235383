/* rm.h - removes sessions, as afw rm does. */
#ifndef AFW_COMMANDS_RM_H
#define AFW_COMMANDS_RM_H

#include <stdbool.h>

#include "base/err.h"
#include "session/session.h"

struct rm_how {
	const char *when;  /* its branch is deleted: merged, always, never */
	const char *trash; /* why all is kept there, even if all of it is
			      merged; NULL: it is not */
	bool stop;	   /* running ones, without a question */
	bool ignored;	   /* files that git ignores are not worth the trash */
	bool force;	   /* also if before_rm fails */
	bool json;
};

/*
 * Removes each session, prints what was removed, and begins to delete in the
 * background what the trash need not keep. A failure does not stop it: *err is
 * the last, the earlier ones are printed, and it returns -1.
 */
int rm_sessions(const struct session_list *l, const struct rm_how *how,
		struct err *err);

/* rm_host.c: if the session has a place of its own, which is then given back,
 * first fetches what is only there. */
int rm_over_host(const struct args *args, const char *url, int *code,
		 struct err *err);

#endif
