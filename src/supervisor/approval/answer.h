/*
 * answer.h - answers an approval with the keys that its harness takes for
 * "yes, this once" or "no" (afw send --approve, --deny).
 *
 * Before each key, in the same turn of the loop, all that the harness has
 * printed is read and the screen looked at: the very approval that the answer
 * is for has to be there, and the option's own text with it. Afterwards it has
 * to go. One answer at a time.
 *
 * answer_press() is the only place that types, and question_is_gone() the only
 * sign that it was taken: a harness that can be answered by a call of its own
 * needs another way there, and nothing else.
 */
#ifndef AFW_SUPERVISOR_APPROVAL_ANSWER_H
#define AFW_SUPERVISOR_APPROVAL_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "activity/question.h"
#include "adapters/screen/approval.h"

struct peer;
struct supervisor;

/* The one that is under way. */
struct answer {
	bool busy;
	struct peer *peer;	 /* who waits; NULL: a rule answers, */
	char rule[READING_TEXT]; /* of that name */
	int64_t seq;		 /* of the peer's request */
	struct loop_timer *timer;
	bool approve;
	char id[QUESTION_ID_SIZE];
	char question[READING_TEXT];
	char keys[RULES_ANSWER_MAX];
	size_t at;		   /* pressed so far, in keys */
	int64_t deadline, next_at; /* monotonic ms */
};

/*
 * Answers the approval that is up by a rule of the user's (policy.h). What comes
 * of it is in the history. -1 as for the request: nothing is typed.
 */
int answer_by_rule(struct supervisor *sv, const char *rule, bool approve,
		   struct err *err);

#endif
