/*
 * survey.h - compares what is recorded with what is there, one probe at a time.
 *
 * A probe that fails is a finding itself and does not stop the others. Only
 * what cannot lose anything is repaired: the state of a lost session, a socket
 * nobody listens on, an entry of git's for a directory that is gone, a tmux
 * server or a container that outlived the supervisor which started it. No work
 * is deleted, no other process ended.
 */
#ifndef AFW_SESSION_REPAIR_SURVEY_H
#define AFW_SESSION_REPAIR_SURVEY_H

#include "base/err.h"
#include "session/repair/findings.h"

#define FOR_RECONCILE 1u /* looks at what is recorded: afw reconcile */
#define CHEAP	      2u /* that, in files only: no git, no /proc */
#define FOR_DOCTOR    4u /* looks at what afw needs: afw doctor */

/* look() adds what it finds; -1 with err if it could not look at all of it. */
struct probe {
	const char *name; /* "sessions": the look at ... failed */
	unsigned uses;
	int (*look)(struct survey *s, struct err *err);
};

/*
 * Runs the probes for use, and behind them those of more (ended by a row
 * without a name; NULL: none), and repairs what can be if s->apply. The caller
 * has set the members of s up to repository, the others are empty, and calls
 * survey_finish().
 */
void survey_run(struct survey *s, unsigned use, const struct probe *more);
void survey_finish(struct survey *s);

#endif
