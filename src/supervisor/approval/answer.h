/*
 * answer.h - answers an approval with the keys that its harness takes for "yes,
 * this once" or "no" (afw send --approve, --deny).
 *
 * Directly before each key, everything that the harness has printed is read and
 * the screen is checked: it must show the same approval and the text of the
 * chosen option. Afterwards the approval must disappear. One answer at a time.
 *
 * answer_press() is the only place that types, and question_is_gone() the only
 * sign that the harness took the answer. A harness with an interface for
 * answers needs another way at these two places only.
 */
#ifndef AFW_SUPERVISOR_APPROVAL_ANSWER_H
#define AFW_SUPERVISOR_APPROVAL_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

#include "activity/question.h"
#include "adapters/screen/approval.h"

struct peer;
struct supervisor;

/* The answer that is being given. */
struct answer {
	bool busy;
	struct peer *peer; /* the client that waits; NULL: a rule answers, */
	char rule[READING_TEXT]; /* and this is the rule's name */
	int64_t seq;		 /* of the peer's request */
	bool approve;
	char id[QUESTION_ID_SIZE];
	char question[READING_TEXT];
	char keys[RULES_ANSWER_MAX];
	size_t at;		   /* index in keys: pressed so far */
	int64_t pause;		   /* ms before the next one; 0: the usual */
	bool pressed;		   /* all of them are */
	int64_t deadline, next_at; /* monotonic ms */
};

/*
 * Answers the approval that is up by the user's rule (policy.h). The result is
 * in the history. Returns -1 for the same reasons as the request; then nothing
 * was typed.
 */
int answer_by_rule(struct supervisor *sv, const char *rule, bool approve,
		   struct err *err);

#endif
