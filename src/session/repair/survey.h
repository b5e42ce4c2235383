/*
 * survey.h - compares what is recorded with what exists, one probe at a time.
 *
 * A probe that fails is itself a finding and does not stop the others. Repairs
 * only what cannot lose data: the state of a lost session, a socket without a
 * listener, git's entry for a directory that was removed, a tmux server or a
 * container that is still running after the supervisor that started it has
 * ended. Deletes no work and ends no other process.
 */
#ifndef AFW_SESSION_REPAIR_SURVEY_H
#define AFW_SESSION_REPAIR_SURVEY_H

#include "base/err.h"
#include "session/repair/findings.h"

#define FOR_RECONCILE 1u /* compares what is recorded: afw reconcile */
#define CHEAP	      2u /* of these, those that need no git and no /proc */
#define FOR_DOCTOR    4u /* checks what afw needs: afw doctor */

/* A row of survey.c, or of commands/doctor_probes.c. */
struct probe {
	const char *name; /* "sessions": for "checking ... failed" */
	unsigned uses;
	/* Adds findings; -1 with err if it could not check everything. */
	int (*run)(struct survey *s, struct err *err);
	/* Repairs one that is safe, and returns whether that was done. NULL:
	 * there is none, or run has done it if s->apply is set. */
	bool (*repair)(const struct survey *s, const struct finding *f);
};

/*
 * Runs those of survey.c and of more (may be NULL) that are for use, and
 * repairs what it can if s->apply is set. The caller has set the members of s
 * up to docker and left the others empty, and calls survey_finish().
 */
void survey_run(struct survey *s, unsigned use, const struct probe *more);
void survey_finish(struct survey *s);

#endif
