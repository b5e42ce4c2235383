/* recipients.h - the sessions that a command is for: by name, or many. */
#ifndef AFW_COMMANDS_CLI_RECIPIENTS_H
#define AFW_COMMANDS_CLI_RECIPIENTS_H

#include "base/err.h"
#include "session/session.h"

struct args;

/*
 * Finds each session that args name, or where they name none the only one
 * (session_find()), and calls fn for it. One that fails does not keep it from
 * the others: *err is the last failure, those before it are printed. Returns
 * -1 then, else what fn last returned.
 */
typedef int recipients_fn(struct session *s, const struct args *args,
			  struct err *err);
int recipients_each(const struct args *args, recipients_fn *fn,
		    struct err *err);

/*
 * By the options all (those of this repository that run) and group (those of
 * this repository that are in it), without the one that the caller itself runs
 * in: ERR_NO_SESSION where there is none. Else the first n names of args, with
 * n 0 the only one that there is; none of them is left out: where one
 * is not there, is ambiguous, or names a session for the second time, the list
 * is empty and err says so. To be finished with session_list_finish().
 */
int recipients(struct session_list *l, const struct args *args, size_t n,
	       struct err *err);

/* Refuses (ERR_USAGE) `send a b hello` if b is a session, too: it may be meant
 * for both. The hint has the command for both and the one for the text. */
int recipients_check_text(const struct args *args, struct err *err);

#endif
