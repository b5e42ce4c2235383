/* reading.h - one signal's word on what a harness does. */
#ifndef AFW_ADAPTERS_READING_H
#define AFW_ADAPTERS_READING_H

#include <stdbool.h>
#include <stdint.h>

#include "session/phase.h"

/* Where a reading comes from; the order is DESIGN's rank, best first. */
enum source {
	SOURCE_PROGRAM_STATUS, /* OSC 7501 */
	SOURCE_HOOK,
	SOURCE_TITLE, /* terminal title, and the harness's status files */
	SOURCE_SCREEN,
	SOURCE_PROCESS, /* /proc: a witness only */
	SOURCE_TOOL,	/* af_subtask_state: a rest that is a question */
	SOURCE_COUNT,
};
const char *source_name(enum source s); /* "osc7501", "hook", … */

#define READING_TEXT   200
#define READING_TURN   40
#define READING_ANSWER 3072

/* What it asks before it begins, whatever its own words are. */
#define READING_TRUST "asks whether it may trust this directory"

/* One signal's word on what the harness does. */
struct reading {
	enum source source;
	enum activity activity; /* ACTIVITY_NONE: says nothing on it */
	bool question;		/* waiting: an approval or a dialog is up, and
				   Enter would answer it */
	bool late;		/* waiting: told some seconds after it began,
				   so it may be over */
	bool turn_started;	/* a message was taken (UserPromptSubmit), and
				   not by a sub-agent */
	bool turn_ended;
	bool interrupted; /* turn_ended, or on the screen: by the user */
	bool failed;	  /* the turn ended in an error of the harness */
	/* turn_ended: without an answer, by an error or an interrupt, of which
	 * another signal tells, perhaps a moment later. */
	bool unanswered;
	/* turn_ended: what it has cost, in 1e-6 US dollars; 0: not told. */
	int64_t cost_micro;
	char detail[READING_TEXT];	 /* what it asks or does; printable */
	char conversation[READING_TEXT]; /* the harness's own id, or "" */
	char prompt[READING_TEXT];	 /* turn_started: how the text begins */
	char turn[READING_TURN]; /* the harness's own id of its turn, or "" */
	/* turn_ended: the harness's last message as the event has it, raw but
	 * UTF-8; cut: it may go on. See adapter_last_answer(). */
	char answer[READING_ANSWER];
	bool answer_cut;
};

/* Keeps text as the answer of a reading, cut to what fits. */
void adapter_answer(struct reading *out, const char *text);

#endif
