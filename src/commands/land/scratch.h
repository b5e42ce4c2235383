/*
 * scratch.h - a worktree in which candidates are checked: commits that a branch
 * may be moved to. It exists as long as afw-worktree waits for scratch_with()
 * to end, however that ends; so there is one at a time in a repository.
 */
#ifndef AFW_COMMANDS_LAND_SCRATCH_H
#define AFW_COMMANDS_LAND_SCRATCH_H

#include "base/buf.h"
#include "session/session.h"

struct scratch {
	struct session s; /* no session is listed with it */
	void *ctx;
	int (*fn)(struct scratch *x, void *ctx, struct err *err);
	int rc; /* of fn */
	struct err *err;
};

/*
 * Makes it, in the sandbox of the session like, at the branch into; calls fn,
 * and removes it. Returns what fn returned. ERR_CONFLICT if another process has
 * one.
 */
int scratch_with(struct scratch *x, const struct session *like,
		 const char *into, struct err *err);

struct scratch_result {
	bool passed;
	int64_t ms;
	char why[128];	     /* "exited with code 2" */
	struct buf tail;     /* the end of the output, unsafe to print */
	struct strv changed; /* tracked files that the check has changed */
};

void scratch_result_finish(struct scratch_result *r);
#define _scratch_result_ CLEANUP(scratch_result_finish)

/* Checks the commit out and runs the command there. Returns -1 if that was
 * impossible; a check that fails, or is not done after timeout_ms, is a result.
 * scratch_result_finish() in every case. Blocks. */
struct candidate_check;
int scratch_check(struct scratch *x, const char *commit,
		  const struct candidate_check *check, struct scratch_result *r,
		  struct err *err);

/* Runs a command in the session's sandbox, as scratch_check(); at_top: not in
 * its subdir. check_run.c */
int check_run(const struct session *s, const struct strv *command, bool at_top,
	      int64_t timeout_ms, struct scratch_result *r, struct err *err);

#endif
