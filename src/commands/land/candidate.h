/*
 * candidate.h - a merged commit that is checked before the branch moves to it:
 * `afw merge --check` and `afw land`.
 */
#ifndef AFW_COMMANDS_LAND_CANDIDATE_H
#define AFW_COMMANDS_LAND_CANDIDATE_H

#include "commands/land/scratch.h"
#include "wire/worktree_request.h"

struct candidate_how {
	const char *into;    /* the branch */
	const char *how;     /* "merge", "squash", "rebase" */
	const char *message; /* or NULL */
	struct sign_choice sign;
	bool dry_run;	  /* the branch does not move */
	const char *onto; /* as if it were there; NULL: where it is */
	bool only_branch; /* the session's worktree is not looked at */
};

struct candidate {
	enum candidate_end {
		CANDIDATE_LANDED,
		CANDIDATE_NOTHING, /* the branch has all of it */
		CANDIDATE_REFUSED, /* as the answer says */
		CANDIDATE_FAILED,  /* the check */
	} end;
	/* of merge, with "check": an object, if it failed with "output"; owned
	 */
	cJSON *answer;
	struct scratch_result check;
};

void candidate_finish(struct candidate *c);
#define _candidate_ CLEANUP(candidate_finish)

struct candidate_check {
	struct strv command; /* empty: none */
	char *subdir;	     /* where it starts; NULL: at the top; owned */
	int64_t timeout_ms;
};

/* Loads the check that the session would have if it was started now.
 * candidate_check_finish() in every case. */
int candidate_check_load(struct candidate_check *k, const struct session *s,
			 struct err *err);
void candidate_check_finish(struct candidate_check *k);

/* Makes the commit for a branch that is at onto (NULL: where it is). Returns
 * merge's answer, to be deleted; NULL with err. */
cJSON *candidate_make(const struct session *s, const struct candidate_how *how,
		      const char *onto, struct err *err);

/* Moves the branch from one commit to a candidate that was made for it. Returns
 * merge's answer; NULL with err: ERR_CONFLICT if it has moved meanwhile. */
cJSON *candidate_move(const struct session *s, const struct candidate_how *how,
		      const char *from, const char *to, struct err *err);

/*
 * Makes the candidate, checks it, and moves the branch to it; again if that has
 * moved meanwhile. x NULL: there is no check. candidate_finish() in every
 * case. Blocks.
 */
int candidate_land(struct scratch *x, const struct session *s,
		   const struct candidate_how *how,
		   const struct candidate_check *check, struct candidate *c,
		   struct err *err);

/* Returns the last lines of the output of its check, unsafe to print;
 * borrowed. */
const char *candidate_output(const struct candidate *c, int lines);

/* Prints the end of the output of a check that failed, on standard error. */
void candidate_print_output(const struct candidate *c, int lines);

#endif
