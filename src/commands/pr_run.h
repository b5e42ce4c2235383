/* pr_run.h - what afw pr and afw land run to push a branch and to open a pull
 * request: only for pr*.c. */
#ifndef AFW_COMMANDS_PR_RUN_H
#define AFW_COMMANDS_PR_RUN_H

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "session/session.h"

struct pr {
	const struct session *s;
	const char *remote;
	char *base, *title, *url;
	struct strv env;
};

/* Prevents password prompts that the user would not see. */
void pr_set_env(struct strv *env);

/* Runs "git ARGS" (NULL ends); -1 with its last line if it fails. */
int pr_git(const struct pr *pr, struct buf *out, struct err *err,
	   const char *const *args);

int pr_check_remote(const struct pr *pr, struct err *err);

/* from: a commit, or a reference. */
int pr_push(const struct pr *pr, const char *from, const char *branch,
	    struct err *err);

struct pr_filling {
	const char *mark, *with;
};

/* Runs the user's command with the placeholders replaced. The last replacement
 * may be an agent's text, in which no placeholder is replaced. */
int pr_run_command(const struct pr *pr, const struct strv *command,
		   const struct pr_filling *with, struct buf *out,
		   struct err *err);

/* After a command that has failed: the hint, unless there is one. Returns -1.
 */
int pr_hint_pushed(const char *branch, struct err *err);

#endif
