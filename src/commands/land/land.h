/*
 * land.h - a run of `afw land`: which sessions go into the branch in which
 * order, and the result of each. Only for land*.c.
 */
#ifndef AFW_COMMANDS_LAND_LAND_H
#define AFW_COMMANDS_LAND_LAND_H

#include "commands/command.h"
#include "commands/land/candidate.h"

struct landing {
	struct session *s; /* of land.all */
	struct candidate_check check;
	struct strv commits; /* that the branch lacks, the newest first */
	struct strv against; /* "api in src/routes.c": what it conflicts with */
	bool uncommitted;    /* its work is committed first */
	char *why;	     /* it is left out; NULL: it is not */
	bool landed;
	int turns;	  /* messages that its agent has got */
	bool asked_check; /* one of them was about its check */
	struct candidate result;
};

struct land {
	const struct args *args;
	struct session_list all; /* v[i].s points into it */
	struct strv branches;	 /* of all sessions of the repository */
	struct landing *v;	 /* in the order of landing */
	size_t n;
	char *into;
	struct candidate_how how;
	bool json, checks; /* checks: at least one has a check */
	struct scratch *x; /* NULL: no session has a check */
	char *from, *to;   /* the branch before, and now; NULL: not moved */
	char *worktree;	   /* that has it checked out; or NULL */
	size_t landed, passed;
};

/* -- landing.c ------------------------------------------------------------- */

void landing_finish(struct landing *p);
void land_leave_out(struct landing *p, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns a session that is left out and that p continues, with its commits;
 * NULL: none. */
const struct landing *land_continues(const struct land *l,
				     const struct landing *p);

/* Reads it again; -1 if that fails, or it was removed: then it is broken, but
 * keeps what was known of it. */
int land_reload(struct session *s);

/* Waits until the session is no longer in a turn: it is done, asks something or
 * has ended; or for timeout_ms. What it has asked since asked (its
 * activity_since; 0: nothing) is ignored. Reads it again. */
#define LAND_TURN_MS (INT64_C(3600) * 1000)
void land_wait(struct session *s, int64_t timeout_ms, int64_t asked);

/* Waits a moment for the text of what it asks, which its screen may show later
 * than it says that it asks. Reads it again. */
void land_wait_question(struct session *s);

/* -- land_plan.c ----------------------------------------------------------- */

/* Finds the sessions, those that are left out, and the order. */
int land_plan(struct land *l, struct err *err);

/* Prints it, as one object with --json. land_print.c */
void land_print_plan(const struct land *l);

/* -- land_resolve.c -------------------------------------------------------- */

/* Asks the agent to resolve the conflicts of p->result, or to make its check
 * pass. Returns whether it has done so: another candidate can be made. If not,
 * p is left out. Blocks until its turn has ended. */
bool land_resolve(struct land *l, struct landing *p);

/* With --review: shows what its agent was asked to do, in this run or before,
 * and that nobody has accepted. False: the user does not take it. */
bool land_review(const struct land *l, struct landing *p);

/* It has landed: it is not asked about again. */
void land_end_review(const struct landing *p);

/* -- land_run.c ------------------------------------------------------------ */

/* Commits what is to be committed first. Before there is a scratch: git's
 * hooks are ended with all that this process has started. */
void land_commit(struct land *l);

/* Lands one after another, and prints each result. */
void land_run(struct land *l);

/* Makes a candidate, and another each time that its agent has changed
 * something. */
void land_one(struct land *l, struct landing *p);

/* Counts and prints its result. */
void land_end(struct land *l, struct landing *p);

/* -- land_batch.c ---------------------------------------------------------- */

/* As land_run(), but checks as many at once as pass together. */
void land_batch(struct land *l);

#endif
