/* pr.h - opens a pull request for a commit that another command has made. */
#ifndef AFW_COMMANDS_PR_H
#define AFW_COMMANDS_PR_H

#include "base/buf.h"
#include "base/err.h"
#include "session/session.h"

struct pr_commit {
	const char *base, *title;
	char *commit, *branch; /* owned; those of before, if again */
	bool again;	       /* the remote had a branch with the same files */
	struct buf said; /* what pr_command has printed, unsafe to print */
};

void pr_commit_finish(struct pr_commit *pc);

/* Refuses a repository without the remote, and a pr_command that is not
 * installed; of: a session of the repository. */
int pr_commit_check(const struct session *of, struct err *err);

/*
 * Pushes pc->commit as the new branch pc->branch, whose name begins with
 * PR_PREFIX, and runs pr_command for it. If such a branch of the remote has the
 * same files, that one is taken, and its pull request, if pr_find_command finds
 * it.
 */
#define PR_PREFIX "land-"
int pr_commit_open(struct pr_commit *pc, const struct session *of,
		   struct err *err);

#endif
